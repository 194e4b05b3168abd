/**
 * The folders, servers and processes that a run has started, and how each is ended. `closeAll` ends everything that is
 * open in this process, so that nothing outlives a run that is stopped.
 */
export class Resources {
  static readonly #open = new Set<Resources>();
  static #isStopping = false;

  readonly #releases: (() => Promise<unknown>)[] = [];
  readonly #starting = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  /** Builds something out of new resources, which `close` releases; a failed build releases them itself. */
  static async build<Built>(build: (resources: Resources) => Promise<Built>): Promise<Built> {
    if (Resources.#isStopping) throw new Error('the run is being stopped');
    const resources = new Resources();
    Resources.#open.add(resources);
    try {
      return await build(resources);
    } catch (error) {
      await resources.close().catch((left: unknown) => console.error(left));
      throw error;
    }
  }

  /** Releases all resources of this process; from then on none are built. Prints what could not be ended. */
  static async closeAll(): Promise<void> {
    Resources.#isStopping = true;
    const open = [...Resources.#open].reverse();
    for (const end of await Promise.allSettled(open.map((resources) => resources.close())))
      if (end.status === 'rejected') console.error(end.reason);
  }

  /** Starts something that `release` ends. Throws when the resources were closed meanwhile. */
  async start<Started>(
    begin: () => Promise<Started>,
    release: (started: Started) => Promise<unknown>,
  ): Promise<Started> {
    if (this.#closing !== undefined) throw new Error('the run is being stopped');
    const beginning = begin();
    const registered = beginning.then(
      (started) => void this.#releases.push(() => release(started)),
      () => {},
    );
    this.#starting.add(registered);
    const started = await beginning;
    await registered;
    this.#starting.delete(registered);
    if (this.#closing !== undefined) throw new Error('the run is being stopped');
    return started;
  }

  /** Ends everything, the newest first, after waiting for what is still starting. May be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#releaseAll();
    return this.#closing;
  }

  async #releaseAll(): Promise<void> {
    await Promise.all(this.#starting);
    const errors: unknown[] = [];
    for (const release of this.#releases.reverse()) await release().catch((error) => errors.push(error));
    Resources.#open.delete(this);
    if (errors.length > 0) throw new AggregateError(errors, 'not everything could be ended');
  }
}
