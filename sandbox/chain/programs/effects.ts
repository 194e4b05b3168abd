/** One thing that a computed instruction does. The virtual machine itself carries it out. */
export type Effect =
  | { readonly kind: 'invoke'; readonly instruction: Invoked; readonly signers: readonly SignerSeeds[] }
  /** Overwrites data of an account of the instruction, which the program must own. */
  | { readonly kind: 'write'; readonly account: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'log'; readonly message: string }
  /** Ends the instruction, and with it the transaction, with a custom error. */
  | { readonly kind: 'fail'; readonly error: number }
  /** Ends the instruction as a panic does: the program failed to complete. */
  | { readonly kind: 'abort' };

/** Seeds of one derived address that signs, bump included. */
export type SignerSeeds = readonly Uint8Array[];

/** An instruction for another program, or for the program itself. Every account must be one of the caller's. */
export interface Invoked {
  /** base58. */
  readonly program: string;
  readonly accounts: readonly {
    readonly address: string;
    readonly signer: boolean;
    readonly writable: boolean;
  }[];
  readonly data: Uint8Array;
}

/** One expected call of a program within a transaction, and its effects. */
export interface ComputedInstruction {
  readonly data: Uint8Array;
  /** base58, in order. */
  readonly accounts: readonly string[];
  /** Conditions that distinguish this call from others with the same data and accounts. */
  readonly state: readonly StateCondition[];
  readonly effects: readonly Effect[];
}

/** What an account of a call holds when the call begins. */
export interface StateCondition {
  readonly account: number;
  readonly dataBytes: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}
