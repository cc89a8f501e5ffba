import type { Attested } from './attested.ts';
import type { Call } from './call.port.ts';
import type { PublicContext } from './call-context.ts';
import type { Proofs } from './proofs.ts';

/** What entries seal names the item of the input that it is about. */
export const itemOf = (attested: Attested, item: number | undefined): Attested => {
  const { coSigned } = attested;
  return item === undefined || !coSigned
    ? attested
    : { ...attested, coSigned: { ...coSigned, block: { ...coSigned.block, item } } };
};

/** Of a call of which nothing is demanded. */
export const NOTHING_PROVEN: Attested = Object.freeze({});

export const publicContext = ({ requestId, span }: Call, proofs: Proofs | null): PublicContext => ({
  requestId,
  ...(span ? { span } : {}),
  ...(proofs?.dpop ? { dpop: proofs.dpop } : {}),
});
