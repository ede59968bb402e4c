// What the walker looks for in a state of the page, besides what looking.js measures. Runs in the browser.
(() => {
const named = element => {
  const text = (element.getAttribute('data-drawn') ?? element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
  const classes = typeof element.className === 'string' ? element.className.replace(/ ?\b_\w+/g, '').trim() : '';
  return `${element.tagName.toLowerCase()}${classes === '' ? '' : '.' + classes.replaceAll(' ', '.')} "${text}"`;
};
// What opens over the board on purpose: beside it, only what lies in it is looked at.
const OVERLAY = '[role=dialog], [role=tooltip], .detail, .tip, .bubble, .coach, .notice';
// Nothing changes while one looks, so what was found about an element is kept.
const heard = new Map();
const onlyHeard = element => { // for screen readers only
  if (element === null) return false;
  if (!heard.has(element)) heard.set(element, getComputedStyle(element).clipPath === 'inset(50%)' || onlyHeard(element.parentElement));
  return heard.get(element);
};
const shown = element => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !onlyHeard(element);
const meet = (one, other) => {
  const left = Math.max(one.left, other.left), top = Math.max(one.top, other.top);
  const right = Math.min(one.right, other.right), bottom = Math.min(one.bottom, other.bottom);
  return right > left && bottom > top ? { left, top, right, bottom, width: right - left, height: bottom - top } : null;
};

/* The part of an element's surroundings in which it is drawn; what can be scrolled to counts as drawn. */
const reachOf = element => {
  let reach = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
  let scrollsX = false, scrollsY = false;
  for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.display === 'inline') continue;
    const box = at.getBoundingClientRect();
    if (['auto', 'scroll'].includes(style.overflowX) && at.scrollWidth > at.clientWidth) scrollsX = true;
    if (['auto', 'scroll'].includes(style.overflowY) && at.scrollHeight > at.clientHeight) scrollsY = true;
    if (style.overflowX !== 'visible' && !scrollsX) reach = { ...reach, left: Math.max(reach.left, box.left), right: Math.min(reach.right, box.right) };
    if (style.overflowY !== 'visible' && !scrollsY) reach = { ...reach, top: Math.max(reach.top, box.top), bottom: Math.min(reach.bottom, box.bottom) };
    if (style.position === 'fixed') break;
  }
  if (!scrollsX) reach = { ...reach, left: Math.max(reach.left, 0), right: Math.min(reach.right, innerWidth) };
  return reach;
};
/* The part that is in sight now. */
const sightOf = element => {
  let sight = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.overflowX === 'visible' && style.overflowY === 'visible' || style.display === 'inline') continue;
    sight = meet(sight, at.getBoundingClientRect()) ?? { left: 0, top: 0, right: 0, bottom: 0 };
    if (style.position === 'fixed') break;
  }
  return sight;
};

/* All pieces of text: an element, and the box around its own words. */
const pieces = () => {
  const found = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.textContent.trim() === '' || element.closest('script, style, option, select, svg') !== null || !shown(element)) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(rect => rect.width > 0.5 && rect.height > 0.5);
    if (rects.length > 0) found.push({ element, rects });
  }
  for (const element of document.querySelectorAll('[data-drawn]')) {
    if (element.dataset.drawn === '' || !shown(element)) continue;
    const box = element.getBoundingClientRect();
    const wide = element.scrollWidth > element.clientWidth && element.clientWidth > 0 ? element.scrollWidth - element.clientWidth : 0;
    if (box.width > 0.5) found.push({ element, rects: [{ left: box.left, top: box.top, right: box.right + wide, bottom: box.bottom, width: box.width + wide, height: box.height }] });
  }
  return found;
};

// Names that people gave themselves may be longer than any place: they are whole in the title and in the opened panel.
const mayBeCut = element => element.closest('.cut[title]') !== null;

// Where there is no room, old lines of the log beside the piles go, and wishes at a seat: a tap shows all of them.
const mayGo = element => element.closest('.tail .line, .talk > :is(.status, .wish)') !== null;

const clipped = () => {
  const found = [];
  for (const { element, rects } of pieces()) {
    if (mayBeCut(element)) continue;
    const reach = reachOf(element);
    if (rects.every(rect => meet(rect, reach) === null)) {
      if (!mayGo(element)) found.push(`${named(element)} is lost as a whole`);
      continue;
    }
    for (const rect of rects) {
      const tall = rect.height * 0.25; // glyphs do not fill their line
      const lost = Math.max(reach.left - rect.left, rect.right - reach.right, reach.top - rect.top - tall, rect.bottom - reach.bottom - tall);
      if (lost > 1.5) { found.push(`${named(element)} loses ${Math.round(lost)} px`); break; }
    }
  }
  return [...new Set(found)];
};

const opaque = element => {
  const style = getComputedStyle(element);
  if (style.backgroundImage !== 'none') return true;
  const alpha = /rgba?\([^)]*[,/]\s*([\d.]+)\)$/.exec(style.backgroundColor);
  return style.backgroundColor !== 'transparent' && (alpha === null || style.backgroundColor.startsWith('rgb(') && !style.backgroundColor.includes('/') || Number(alpha[1]) > 0.6);
};

/* Text under something else, or upon other text. */
const overlapping = () => {
  const found = [];
  const still = document.createElement('style');
  still.textContent = '* { pointer-events: auto !important }';
  document.head.append(still);
  const overlays = [...document.querySelectorAll(OVERLAY)].filter(shown);
  const texts = pieces().flatMap(({ element, rects }) => {
    const sight = sightOf(element);
    return rects.flatMap(rect => { const seen = meet(rect, sight); return seen !== null && seen.width > 3 && seen.height > 5 ? [{ element, rect: seen }] : []; });
  });
  const kin = (one, other) => one.contains(other) || other.contains(one);
  for (const { element, rect } of texts) {
    const own = overlays.find(overlay => overlay.contains(element));
    const inset = Math.min(3, rect.width / 3);
    for (const x of [rect.left + inset, (rect.left + rect.right) / 2, rect.right - inset]) {
      const y = (rect.top + rect.bottom) / 2;
      const top = document.elementFromPoint(x, y);
      if (top === null || top === element || top.contains(element)) continue; // nothing lies over it
      const stack = document.elementsFromPoint(x, y);
      const covers = stack.slice(0, Math.max(0, stack.findIndex(at => at === element || at.contains(element)))).find(at =>
        !kin(at, element) && shown(at) && (opaque(at) || at.closest('svg.bean, svg.icon') !== null));
      if (covers === undefined) continue;
      if (own === undefined && overlays.some(overlay => overlay.contains(covers))) continue;
      found.push(`${named(element)} lies under ${named(covers)}`);
      break;
    }
  }
  for (let at = 0; at < texts.length; at += 1) for (let to = at + 1; to < texts.length; to += 1) {
    const [one, other] = [texts[at], texts[to]];
    if (one.element === other.element) continue;
    const both = meet(one.rect, other.rect);
    if (both === null || both.width < 2 || both.height < Math.min(one.rect.height, other.rect.height) * 0.4) continue;
    const layer = overlays.find(overlay => overlay.contains(one.element)) ?? null;
    if (layer !== (overlays.find(overlay => overlay.contains(other.element)) ?? null)) continue;
    const stack = document.elementsFromPoint((both.left + both.right) / 2, (both.top + both.bottom) / 2);
    const upper = stack.findIndex(here => here === one.element || here === other.element || kin(here, one.element) !== kin(here, other.element));
    const between = stack.slice(0, stack.findLastIndex(here => here === one.element || here === other.element) + 1);
    if (upper >= 0 && between.slice(0, -1).some(opaque) && between.length > 1) continue; // one of them is hidden there: the look above tells
    found.push(`${named(one.element)} lies upon ${named(other.element)}`);
  }
  still.remove();
  return [...new Set(found)];
};

/* What one presses: `least` px, and of overlapped cards `visible` px. */
const small = (least, visible) => {
  const found = [];
  for (const element of document.querySelectorAll('button, a[href], select, summary, input, [role=button]')) {
    if (!shown(element) || getComputedStyle(element).pointerEvents === 'none' && element.style.pointerEvents !== 'none') continue;
    const target = element.matches('input[type=checkbox], input[type=radio]') ? (element.closest('label') ?? element) : element;
    if (element.matches('a:not(.button)') && element.closest('p, li, dd, article, footer') !== null) continue; // a word in a text
    const box = target.getBoundingClientRect();
    if (box.width <= 1 && box.height <= 1) continue;
    const second = element.getAttribute('aria-hidden') === 'true'; // a second way to what has a button of its own
    const [wide, high] = second || element.matches('[data-card]') ? [visible, visible] : [least, least];
    if (box.width < wide - 0.5 || box.height < high - 0.5) found.push(`${named(element)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  return [...new Set(found)];
};

/* A text for which the page lacks a word: its key stands there in brackets. */
const unsaid = () => [...new Set(pieces().map(({ element }) => element).filter(element => /\[[a-z]+(\.[a-z0-9-]+)+\]/.test(element.textContent)).map(named))];

return { clipped, overlapping, small, unsaid };
})()
