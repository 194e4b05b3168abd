import { has } from '../../packages/client/src/cli/kit/command.ts';
import { flag } from '../../packages/client/src/cli/kit/option.ts';
import { ImageStoreFailure } from '../features/images/stores/image-store.ts';
import { openImageStore } from '../features/images/stores/open-store.ts';
import { isStoreOf, sweepImages } from '../features/images/sweep-images.ts';
import { type Command, CommandRefused } from './command.ts';

const imagesSweep: Command = {
  name: 'images sweep',
  summary:
    'Finds files of images that no row names and that are older than an hour; needs IMAGE_FOLDER or IMAGE_BUCKET; safe to repeat',
  options: { apply: flag('deletes them; if unset, nothing changes') },
  destroys: {
    warning: () => 'files of images that the database does not name are deleted for ever',
    onlyWith: 'apply',
  },
  async run({ config, database, clock }, options, report) {
    const store = openImageStore(config);
    if (store === null)
      throw new CommandRefused('IMAGE_FOLDER or IMAGE_BUCKET is needed: the store of images');
    const isApplied = has(options, 'apply');
    try {
      if (isApplied && !(await isStoreOf(database, store)))
        throw new CommandRefused(
          'this store has none of the images that the database names, so they may belong to different deployments: nothing was deleted',
        );
      const sweep = await sweepImages({
        database,
        store,
        isApplied,
        now: clock.now(),
        report: (files) => report(files, null, 'files'),
      });
      return { applied: isApplied, ...sweep };
    } catch (error) {
      if (!(error instanceof ImageStoreFailure)) throw error;
      throw new CommandRefused(`${error.message}; repeat it when the store works`);
    }
  },
};

export const imageCommands = [imagesSweep];
