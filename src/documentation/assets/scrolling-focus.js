// A table or list that scrolls gets the focus, so that arrow keys move it: not every browser gives it by itself.
const sizes = new ResizeObserver((resized) => {
  for (const { target } of resized) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = target;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  }
});
for (const element of document.querySelectorAll('.scroll, .activity')) sizes.observe(element);
