import { ask } from './api.js';
import { element } from './element.js';

const file = document.querySelector('#file');
const state = document.querySelector('#picture-state');
const preview = document.querySelector('#preview');
/** That of the api (contract/images#image). */
const BYTES_MAX = 5 * 1024 * 1024;
const REASONS = {
  not_an_image: 'This file is no PNG, JPEG, GIF or WebP.',
  type_mismatch: 'This file is another kind of picture than its name says.',
  corrupt: 'This picture is damaged.',
  too_many_pixels: 'This picture has too many pixels.',
};

/** The chosen picture: it is uploaded at once and shown as it was stored. */
export class LaunchPicture {
  /** What a launch takes; null without a picture. */
  imageUrl = null;
  /** Resolves when no upload is on its way. */
  #uploads = Promise.resolve();

  constructor() {
    file.addEventListener('change', () => {
      this.#uploads = this.#upload(file.files[0]);
    });
  }

  /** Waits for the upload. */
  get ready() {
    return this.#uploads;
  }

  async #upload(chosen) {
    this.imageUrl = null;
    preview.replaceChildren();
    if (chosen === undefined) return say('');
    if (chosen.size > BYTES_MAX) return say('This file has more than 5 MiB.');
    say('uploading …');
    const { body, problem, reason } = await ask('/api/images', {
      method: 'POST',
      body: chosen,
      type: chosen.type,
    });
    // Another file was chosen meanwhile.
    if (file.files[0] !== chosen) return;
    if (body === undefined) return say(REASONS[reason] ?? problem);
    this.imageUrl = body.imageUrl;
    const image = element('img');
    image.alt = 'The picture of the token';
    image.src = `/images/${body.hash}`;
    preview.replaceChildren(image);
    say(`stored with ${body.width} × ${body.height} pixels`);
  }
}

function say(text) {
  state.textContent = text;
}
