import type { Faults } from './faults.ts';

/** A name that no address can have. The message is a whole sentence. */
export class NameRefused extends Error {}

/** An address of the chain, by its name. */
export interface NetworkMember {
  readonly name: string;
  readonly kind: 'node' | 'landing-service';
  readonly rpcUrl: string;
  readonly faults: Faults;
  setFaults(faults: Faults): void;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Every address of one chain. */
export class Network {
  readonly #members = new Map<string, NetworkMember>();

  get all(): readonly NetworkMember[] {
    return [...this.#members.values()];
  }

  find(name: string): NetworkMember | undefined {
    return this.#members.get(name);
  }

  /** The first name of this kind that is free: node-2, node-3, … */
  freeName(kind: string): string {
    for (let number = this.#members.size + 1; ; number += 1)
      if (!this.#members.has(`${kind}-${number}`)) return `${kind}-${number}`;
  }

  /** @throws NameRefused when the name is taken, or is not of lower-case letters, digits and hyphens */
  checkName(name: string): void {
    if (!NAME.test(name)) throw new NameRefused(`${name} is no name: use a-z, 0-9 and hyphens, at most 32.`);
    if (this.#members.has(name)) throw new NameRefused(`two addresses are called ${name}.`);
  }

  add(member: NetworkMember): void {
    this.checkName(member.name);
    this.#members.set(member.name, member);
  }

  remove(name: string): void {
    this.#members.delete(name);
  }
}
