/** A subject at an identity provider. */
export interface Subject {
  readonly iss: string;
  readonly sub: string;
}

/**
 * For whom the caller acts, as it says itself or as a token proves. `act` is the chain of those who
 * act for the subject, outermost first (RFC 8693 section 4.1).
 */
export interface OnBehalfOf {
  readonly subject: Subject;
  /** True where the service verified a token that says so; otherwise it is the caller's claim. */
  readonly validated: boolean;
  readonly provenance: 'token_exchange' | 'asserted';
  readonly act: readonly Subject[];
}

/** How many delegations one block may name. */
export const MAX_ACT_DEPTH = 8;

/** A block that a caller sends is only a claim, even where it calls itself proven. */
export const asserted = ({
  subject,
  act = [],
}: {
  readonly subject: Subject;
  readonly act?: readonly Subject[];
}): OnBehalfOf => ({
  subject: only(subject),
  validated: false,
  provenance: 'asserted',
  act: act.map(only),
});

export const proven = (subject: Subject, act: readonly Subject[]): OnBehalfOf => ({
  subject: only(subject),
  validated: true,
  provenance: 'token_exchange',
  act: act.map(only),
});

const only = ({ iss, sub }: Subject): Subject => ({ iss, sub });
