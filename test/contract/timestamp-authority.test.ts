import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Rfc3161Authority } from '../../adapters/tsa/rfc3161-authority.ts';
import {
  TimestampError,
  type TimestampAuthority,
} from '../../application/vault/timestamp-authority.port.ts';
import { OpensslTsa, sendReply, type Misbehaviour } from '../support/peers/openssl-tsa.ts';

// Contract of application/vault/timestamp-authority.port.ts

const IMPRINT = createHash('sha256').update('a signature').digest();
const OTHER = createHash('sha256').update('another one').digest();
const TLS = join(import.meta.dirname, '../support/peers/tls');
const tlsFile = (name: string): Buffer => readFileSync(join(TLS, name));

describe('a time-stamp authority', () => {
  let tsa: OpensslTsa;
  let url: string;
  let authority: TimestampAuthority;

  beforeAll(async () => {
    tsa = new OpensslTsa();
    url = await tsa.serve();
    authority = new Rfc3161Authority({ url, ca: null, timeoutMs: 3_000 });
  });
  afterEach(() => {
    tsa.misbehaves = null;
  });
  afterAll(() => tsa.end());

  const refusal = async (misbehaves: Misbehaviour): Promise<string> => {
    tsa.misbehaves = misbehaves;
    const error: unknown = await authority.stamp(IMPRINT).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimestampError);
    return (error as TimestampError).message;
  };

  it('gives a token over the imprint, which openssl takes', async () => {
    const { token, stamp } = await authority.stamp(IMPRINT);
    expect(Buffer.from(stamp.imprint.hash)).toEqual(IMPRINT);
    expect(Math.abs(Date.parse(stamp.genTime) - Date.now())).toBeLessThan(60_000);
    expect(tsa.verifies(token, IMPRINT)).toBe(true);
    expect(tsa.verifies(token, OTHER)).toBe(false);
  });

  it('is asked over TLS that is verified, by the test CA where that is trusted', async () => {
    const secure = new OpensslTsa();
    try {
      const at = await secure.serve({
        key: tlsFile('server-key.pem'),
        cert: tlsFile('server.pem'),
      });
      const ca = tlsFile('ca.pem').toString();
      expect(await new Rfc3161Authority({ url: at, ca }).stamp(IMPRINT)).toHaveProperty('token');
      await expect(new Rfc3161Authority({ url: at, ca: null }).stamp(IMPRINT)).rejects.toThrow(
        /CERT|SELF_SIGNED|VERIFY|ISSUER/,
      );
      expect(secure.asked).toBe(1);
    } finally {
      await secure.end();
    }
  });

  it.each<[string, Misbehaviour, RegExp]>([
    [
      'a token of another imprint',
      (query, response, { reply }) => {
        const changed = Buffer.from(query);
        OTHER.copy(changed, changed.indexOf(IMPRINT));
        sendReply(response, reply.call(tsa, changed));
      },
      /another imprint/,
    ],
    [
      'a token of another question',
      (query, response) => {
        const changed = Buffer.from(query);
        // The last byte of the nonce, before the BOOLEAN of certReq.
        changed[changed.length - 4]! ^= 1;
        sendReply(response, tsa.reply(changed));
      },
      /nonce differs/,
    ],
    [
      'a changed signature',
      (query, response) => {
        const reply = tsa.reply(query);
        reply[reply.length - 1]! ^= 1;
        sendReply(response, reply);
      },
      /not kept: its signature does not hold/,
    ],
    [
      'a refusal',
      (_query, response) => sendReply(response, tsa.reply(Buffer.from('no question'))),
      /it refuses, status 2/,
    ],
    [
      'HTML',
      (_query, response) => response.setHeader('content-type', 'text/html').end('<p>'),
      /text\/html/,
    ],
    [
      'HTML that says it is a reply',
      (_query, response) => sendReply(response, Buffer.from('<html>')),
      /no time-stamp reply/,
    ],
    ['nothing', (_query, response) => sendReply(response, Buffer.alloc(0)), /no time-stamp reply/],
    ['10 MB', (_query, response) => sendReply(response, Buffer.alloc(10_000_000)), /longer than/],
    [
      'a redirect',
      (_query, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end(),
      /302 instead of 200/,
    ],
    ['an error', (_query, response) => response.writeHead(503).end(), /503 instead of 200/],
    ['an end', (_query, response) => response.destroy(), /ECONNRESET|aborted|hang up/],
    ['silence', () => undefined, /no answer within 3000 ms/],
    [
      'a drip',
      (_query, response) => {
        response.setHeader('content-type', 'application/timestamp-reply');
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => clearInterval(timer));
      },
      /no answer within 3000 ms/,
    ],
  ])('that answers with %s gives no token, and the error says why', async (_name, answer, why) => {
    expect(await refusal(answer)).toMatch(why);
  });

  it('is not waited for by whoever stops', async () => {
    tsa.misbehaves = () => undefined;
    const stopping = new AbortController();
    const asked = authority.stamp(IMPRINT, stopping.signal);
    setTimeout(() => stopping.abort(), 100);
    const error: unknown = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimestampError);
    expect(String(error)).not.toContain('no answer within');
  });

  it('that is not there gives no token', async () => {
    const away = new Rfc3161Authority({ url: 'http://127.0.0.1:9', ca: null });
    await expect(away.stamp(IMPRINT)).rejects.toThrow(/127\.0\.0\.1:9: ECONNREFUSED/);
  });
});
