import { randomBytes } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import {
  TimestampError,
  type IssuedTimestamp,
} from '../../application/vault/timestamp-authority.port.ts';
import { bytesEqual, toHex } from '../../domain/kernel/digest.ts';
import { SHA256_OID } from '../../domain/vault/timestamp.ts';
import { assertDer } from './der.ts';
import { openToken, whyNot } from './read-token.ts';

/** A question that was asked. */
export interface Query {
  /** TimeStampReq, DER. */
  readonly bytes: Uint8Array;
  readonly imprint: Uint8Array;
  readonly nonce: Uint8Array;
}

/** RFC 3161 section 2.4.1, with the certificate asked for. */
export const newQuery = (imprint: Uint8Array): Query => {
  const nonce = randomBytes(8);
  // A positive integer in its shortest form, whatever follows.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({
        algorithmId: SHA256_OID,
        algorithmParams: new asn1js.Null(),
      }),
      hashedMessage: new asn1js.OctetString({ valueHex: imprint.slice() }),
    }),
    nonce: new asn1js.Integer({ valueHex: nonce }),
    certReq: true,
  });
  return { bytes: new Uint8Array(request.toSchema().toBER()), imprint, nonce };
};

/**
 * The token in a reply (RFC 3161 section 2.4.2), if it answers this question.
 *
 * @throws TimestampError, whose message says what is wrong with it.
 */
export const tokenIn = async (reply: Uint8Array, query: Query): Promise<IssuedTimestamp> => {
  const response = responseIn(reply);
  const { status, timeStampToken } = response;
  if ((status.status !== GRANTED && status.status !== GRANTED_WITH_MODS) || !timeStampToken)
    throw new TimestampError(`it refuses, ${refusalOf(status)}`);
  const token = tokenBytes(reply);
  const { stamp, nonce } = await openToken(token, null).catch((cause: unknown) => {
    throw new TimestampError(`its token is not kept: ${whyNot(cause)}`, { cause });
  });
  if (!nonce || !bytesEqual(nonce, query.nonce))
    throw new TimestampError('its token answers another question: the nonce differs');
  if (stamp.imprint.algorithm !== SHA256_OID || !bytesEqual(stamp.imprint.hash, query.imprint))
    throw new TimestampError('its token is over another imprint than the one it was asked for');
  return { token, stamp };
};

const GRANTED = 0;
const GRANTED_WITH_MODS = 1;

const responseIn = (reply: Uint8Array): pkijs.TimeStampResp => {
  try {
    assertDer(reply);
    return pkijs.TimeStampResp.fromBER(reply);
  } catch (cause) {
    throw new TimestampError('its answer is no time-stamp reply', { cause });
  }
};

/** As it stands in the reply, and not encoded again. */
const tokenBytes = (reply: Uint8Array): Uint8Array => {
  const sequence = asn1js.fromBER(reply).result as asn1js.Sequence;
  return sequence.valueBlock.value[1]!.valueBeforeDecodeView.slice();
};

const refusalOf = ({ status, statusStrings = [], failInfo }: pkijs.PKIStatusInfo): string => {
  const said = statusStrings.map((text) => text.getValue().slice(0, 200)).join('; ');
  const bits = failInfo ? toHex(failInfo.valueBlock.valueHexView) : '';
  return `status ${status}${bits === '' ? '' : `, failure bits ${bits}`}${said === '' ? '' : `: ${said}`}`;
};
