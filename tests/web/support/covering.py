"""What lies under something on the page."""

COVERED = """([selector, kept]) => {
  const over = document.querySelector(selector).getBoundingClientRect();
  return [...document.querySelectorAll(kept)].filter(thing => {
    const box = thing.getBoundingClientRect();
    return Math.min(box.right, over.right) - Math.max(box.left, over.left) > 1
      && Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 1;
  }).map(thing => thing.className);
}"""
"""Returns the classes of those ``kept`` that lie under the first thing of a ``selector`` by over a px."""
