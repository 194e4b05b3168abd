// Before the first paint: the theme that the reader chose, if any. Without a choice the system decides.
try {
  const theme = localStorage.getItem('launchwire-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system decides.
}
