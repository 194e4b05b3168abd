import { addresses } from './addresses.js';
import { ask } from './api.js';

const kill = document.querySelector('#kill-api');
const outcome = document.querySelector('#kill-outcome');
const QUESTION =
  'Kill the api of this sandbox as kill -9 does? Requests fail until the sandbox has started it again, some seconds later. ' +
  'Transactions and orders go on.';

kill.addEventListener('click', async () => {
  if (!confirm(QUESTION)) return;
  kill.disabled = true;
  outcome.textContent = 'killed, restarting …';
  const { body, problem } = await ask('/api-process/kills', { method: 'POST' });
  outcome.textContent = body ? `restarted in ${(body.restartedAfterMs / 1_000).toFixed(1)} s` : problem;
  kill.disabled = false;
});

const { canKillApi } = await addresses;
kill.disabled = !canKillApi;
kill.title = canKillApi
  ? 'Your requests, orders and streams survive it: see how'
  : 'This sandbox does not supervise its api';
