// Starts the interactive reference. Its settings are attributes of the container, so no script is ever inline.
const container = document.getElementById('reference');
const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
}

followColorScheme();
darkScheme.addEventListener('change', followColorScheme);

window.SwaggerUIBundle({
  domNode: container,
  url: container.dataset.document,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  // Nothing leaves this page but requests to the API itself.
  validatorUrl: null,
});
