import { ProgramError } from '../model.ts';

/** Errors of the Anchor framework itself, the same in every program: number and message. */
const frameworkErrors = {
  InstructionFallbackNotFound: [101, 'Fallback functions are not supported'],
  InstructionDidNotDeserialize: [102, 'The program could not deserialize the given instruction'],
  ConstraintMut: [2000, 'A mut constraint was violated'],
  ConstraintHasOne: [2001, 'A has one constraint was violated'],
  ConstraintRaw: [2003, 'A raw constraint was violated'],
  ConstraintSeeds: [2006, 'A seeds constraint was violated'],
  ConstraintAssociated: [2009, 'An associated constraint was violated'],
  ConstraintAddress: [2012, 'An address constraint was violated'],
  ConstraintTokenMint: [2014, 'A token mint constraint was violated'],
  ConstraintTokenOwner: [2015, 'A token owner constraint was violated'],
  ConstraintTokenTokenProgram: [2021, 'A token account token program constraint was violated'],
  AccountDiscriminatorNotFound: [3001, 'No discriminator was found on the account'],
  AccountDiscriminatorMismatch: [3002, 'Account discriminator did not match what was expected'],
  AccountNotEnoughKeys: [3005, 'Not enough account keys given to the instruction'],
  AccountOwnedByWrongProgram: [3007, 'The given account is owned by a different program than expected'],
  InvalidProgramId: [3008, 'Program ID was not as expected'],
  AccountNotSigner: [3010, 'The given account did not sign'],
  AccountNotInitialized: [3012, 'The program expected this account to be already initialized'],
} as const;

export type FrameworkErrorName = keyof typeof frameworkErrors;

/** A failure as the framework logs it: clients parse number and message from the line. */
function anchorError(cause: string, name: string, number: number, message: string): ProgramError {
  return new ProgramError(
    number,
    `AnchorError ${cause}. Error Code: ${name}. Error Number: ${number}. Error Message: ${message}.`,
  );
}

/** @param account name of the wrong account in the program's interface */
export function frameworkError(name: FrameworkErrorName, account?: string): ProgramError {
  const [number, message] = frameworkErrors[name];
  const cause = account === undefined ? 'occurred' : `caused by account: ${account}`;
  return anchorError(cause, name, number, message);
}

/** Number and message of each error of a program. */
export type ErrorTable<Name extends string> = Readonly<
  Record<Name, readonly [number: number, message: string]>
>;

/** Makes the errors of one program by their names. */
export function errorsOf<const Name extends string>(table: ErrorTable<Name>) {
  const error = (name: Name): ProgramError => {
    const [number, message] = table[name];
    return anchorError('occurred', name, number, message);
  };
  return {
    error,
    require(condition: boolean, name: Name): void {
      if (!condition) throw error(name);
    },
  };
}
