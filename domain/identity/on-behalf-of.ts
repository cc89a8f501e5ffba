/** Somebody at an identity provider. */
export interface Subject {
  readonly iss: string;
  readonly sub: string;
}

/**
 * For whom a caller says, or a token proves, that it acts. `act` is the chain of those who act for the subject,
 * outermost first (RFC 8693 section 4.1).
 */
export interface OnBehalfOf {
  readonly subject: Subject;
  /** A token that the service verified says so; otherwise it is the caller's word. */
  readonly validated: boolean;
  readonly provenance: 'token_exchange' | 'asserted';
  readonly act: readonly Subject[];
}

/** Delegations that one block may name. */
export const MAX_ACT_DEPTH = 8;

/** What a caller gives is an assertion, whatever it says of itself. */
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
