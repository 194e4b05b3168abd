// Runs before the first paint: sets the theme that the reader chose. Without a choice the system decides.
try {
  const theme = localStorage.getItem('launchwire-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled: the system decides.
}
