import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * A call of gRPC carries no co-signature, so a credential that must give one is refused here, and told where it can.
 */
export const saysWhereToCoSign = (cause: unknown): unknown => {
  if (!(cause instanceof NotaryError) || !REASONS.has(cause.members.reason ?? '')) return cause;
  return new NotaryError(
    'FORBIDDEN',
    `${cause.message} gRPC carries no co-signature: make this call over REST, or over A2A at POST /a2a, where HTTP Message Signatures (RFC 9421) are taken.`,
    { ...cause.members },
    { cause },
  );
};

const REASONS: ReadonlySet<string> = new Set(['co_signature_required', 'co_signature_unbound']);
