// What can be measured on a page. Everything in here runs in the browser; looking.py asks for it by name.
(() => {
const shown = element => {
  const box = element.getBoundingClientRect();
  if (box.width <= 1 || box.height <= 1 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  for (let at = element; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).clipPath !== 'none' && at.getBoundingClientRect().width <= 1) return false; // for screen readers only
  }
  return true;
};
const named = element => {
  const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 50);
  const classes = typeof element.className === 'string' ? element.className.replace(/ ?\b_\w+/g, '').trim() : '';
  return `${element.tagName.toLowerCase()}${classes === '' ? '' : '.' + classes.replaceAll(' ', '.')} "${text}"`;
};
const CONTROLS = 'button, a[href], input, select, textarea, summary, [role=button], label:has(input)';

// Px of a button that is a second way to what has a large one of its own, and which a screen reader does not meet.
const SECOND_WAY = 24;

const cutOff = () => {
  const found = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  const reach = { left: 0, top: 0, right: innerWidth, bottom: Math.max(innerHeight, document.documentElement.scrollHeight) };
  const part = (box, style, whole) => {
    let [left, top, right, bottom] = [whole.left, whole.top, whole.right, whole.bottom];
    if (style.overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    return { left, top, right, bottom };
  };
  for (const element of document.querySelectorAll(`${CONTROLS}, h1, h2, h3, p, dt, dd, td, th, li > span`)) {
    if (!shown(element) || element.closest('[aria-hidden=true]') !== null) continue;
    const box = element.getBoundingClientRect();
    let seen = { left: box.left, top: box.top + scrollY, right: box.right, bottom: box.bottom + scrollY };
    let scrollsX = false, scrollsY = false, fixed = false;
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      const clip = at.getBoundingClientRect();
      const page = { left: clip.left, top: clip.top + scrollY, right: clip.right, bottom: clip.bottom + scrollY };
      if (['auto', 'scroll'].includes(style.overflowX)) scrollsX = true;
      if (['auto', 'scroll'].includes(style.overflowY)) scrollsY = true;
      const clips = { overflowX: scrollsX ? 'visible' : style.overflowX, overflowY: scrollsY ? 'visible' : style.overflowY };
      seen = part(page, clips, seen);
      if (style.position === 'fixed') { fixed = true; break; }
    }
    const limit = fixed ? { left: 0, top: scrollY, right: innerWidth, bottom: scrollY + innerHeight } : reach;
    if (!scrollsX) seen = { ...seen, left: Math.max(seen.left, limit.left), right: Math.min(seen.right, limit.right) };
    if (!scrollsY) seen = { ...seen, top: Math.max(seen.top, limit.top), bottom: Math.min(seen.bottom, limit.bottom) };
    const lost = Math.max(box.width - (seen.right - seen.left), box.height - (seen.bottom - seen.top));
    if (lost > 1.5) found.push(`${named(element)} loses ${Math.round(lost)} px`);
  }
  for (const element of document.querySelectorAll(CONTROLS)) {
    const style = getComputedStyle(element);
    const inside = element.scrollWidth - element.clientWidth;
    if (element.matches('[data-card]')) continue; // cards of a hand overlap
    if (shown(element) && style.overflowX === 'visible' && inside > 2 && element.clientWidth > 0 && style.display !== 'inline') found.push(`${named(element)} is ${inside} px too full`);
  }
  return [...new Set(found)];
};

const tooSmallToTap = least => {
  const found = [];
  for (const element of document.querySelectorAll('button, a[href], select, summary, input, [role=button]')) {
    if (!shown(element) || getComputedStyle(element).pointerEvents === 'none') continue;
    const target = element.matches('input[type=checkbox], input[type=radio]') ? (element.closest('label') ?? element) : element;
    if (element.matches('a:not(.button)') && element.closest('p, li, dd, article, footer') !== null) continue; // a word in a text
    if (element.matches('[data-card]:not([data-card="0"])')) continue; // cards of a hand overlap, and a finger slides over them
    const box = target.getBoundingClientRect();
    const need = element.getAttribute('aria-hidden') === 'true' ? SECOND_WAY : least;
    if (box.width < need - 0.5 || box.height < need - 0.5) found.push(`${named(element)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  return [...new Set(found)];
};

const tooSmallToRead = least => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.textContent.trim() === '' || element.closest('script, style, option') !== null || !shown(element)) continue;
    const scale = element instanceof SVGElement ? (element.getScreenCTM?.()?.a ?? 1) : 1;
    const px = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (px < least - 0.05) found.push(`${named(element)} ${px.toFixed(1)} px`);
  }
  for (const element of document.querySelectorAll('[data-drawn]')) {
    const px = parseFloat(getComputedStyle(element, '::before').fontSize);
    if (shown(element) && px < least - 0.05) found.push(`${named(element)} ${px.toFixed(1)} px, drawn`);
  }
  return [...new Set(found)];
};

const watchMotion = longest => {
  window.moving = new Set();
  const look = () => {
    for (const animation of document.getAnimations()) {
      const timing = animation.effect?.getComputedTiming();
      const lasts = Number(timing?.duration ?? 0) + Number(timing?.delay ?? 0);
      const target = animation.effect?.target;
      if (animation.playState === 'running' && lasts > longest) window.moving.add(`${animation.animationName ?? animation.transitionProperty ?? 'motion'} ${Math.round(lasts)} ms on ${target?.tagName}.${target?.className?.baseVal ?? target?.className}`);
    }
    requestAnimationFrame(look);
  };
  look();
};

return { cutOff, tooSmallToTap, tooSmallToRead, watchMotion };
})()
