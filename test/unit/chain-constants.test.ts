import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';

// How long a slot is changes with the cluster, so only `src/chain/pace` knows numbers of it.

/** Counts of slots and blocks that say nothing of the chain's pace, each with the reason. */
const ownCounts: Readonly<Record<string, string>> = {
  LEAD_BLOCKS: 'by how much nodes may differ',
  NEAR_SLOTS_MIN: 'by how much nodes may differ',
  BURST_BLOCKS: 'what a liar gains',
  RESEND_SLOTS: 'a count of slots, timed by the measured pace',
  PAUSE_SLOTS: 'a count of slots, timed by the measured pace',
  POLL_SLOTS: 'a count of slots, timed by the measured pace',
  FIRST_EPOCH_SLOTS: 'how a young chain divides its slots, in its schedule of epochs',
  SWAP_PRICES_KEPT_SLOTS: 'a count of slots, timed by the measured pace',
  PARTITION_SLOTS: 'a key of stored rows, which never changes',
  FORK_SPAN_SLOTS: 'how far around a dropped block others are looked for',
  SLOTS_MAX: 'landings that are read in a round',
  BLOCKS_KEPT: 'blocks in memory that several pools may read',
  SLOTS_KEPT: 'slots in memory in which several pools changed',
  SLOTS_REQUEST: 'the id of a subscription',
  SLOTS_BEHIND_MAX: 'by how much a finalized balance may lag behind the final slot',
};

const files = ['src', 'relay', 'packages/client/src']
  .flatMap((folder) => [...new Glob('**/*.ts').scanSync(folder)].map((file) => `${folder}/${file}`))
  .filter((path) => !path.includes('/generated/') && !path.startsWith('src/chain/pace/'));

function lines(): { path: string; line: string }[] {
  return files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
      .map((line) => ({ path, line })),
  );
}

test('no constant outside src/chain/pace says how long a slot is, or how many the protocol counts', () => {
  const constant = /const ([A-Z_]*(?:SLOTS|BLOCKS|SLOT_MS|SLOT_SECONDS)(?:_[A-Z]+)*) *= *[\d.]/;
  // The package has nothing of `src`: it assumes a pace of its own where the service says none.
  const ofPackage = 'packages/client/src/waits/pause-slots.ts: NOMINAL_SLOT_MS';
  const named = lines().flatMap(({ path, line }) => {
    const name = constant.exec(line)?.[1];
    return name === undefined || name in ownCounts ? [] : [`${path}: ${name}`];
  });
  expect(named).toEqual([ofPackage]);
});

test('no line outside src/chain/pace computes with the window or an old slot length', () => {
  const number = /(?<![\w.])(?:150n?|400|0\.4|2\.5)(?![\w.])/;
  const subject = /slot|block(?!Time|s? of the file)|lastValid|expires|height/i;
  const texts = /['"`].*['"`]/;
  const found = lines()
    .filter(({ line }) => number.test(line.replace(texts, '')) && subject.test(line.replace(texts, '')))
    .map(({ path, line }) => `${path}: ${line.trim()}`);
  expect(found).toEqual([]);
});
