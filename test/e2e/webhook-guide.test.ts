import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/service/free-port.ts';
import { hmacHeader } from '../../domain/delivery/delivery-signature.ts';
import { until } from '../support/peers/receiver.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';

const guide = Guide.of('webhooks');
const home = new Home();
const SECRET = `whsec_${'k'.repeat(43)}`;

describe.each([
  ['node', 'js', 'receiver.mjs'],
  ['python3', 'python', 'receiver.py'],
] as const)('the receiver of the guide, in %s', (command, language, name) => {
  it.skipIf(!hasTools(command))(
    'accepts a signed delivery once, and answers 401 to one that is old, of the future, changed, or garbage',
    async () => {
      const file = join(home.path, name);
      const [code] = guide.blocks(language) as [string];
      expect(code.trim().split('\n').length).toBeLessThanOrEqual(30);
      writeFileSync(file, code);
      const port = await freePort();
      const receiver = home.start(command, [file], { PORT: String(port), WEBHOOK_SECRET: SECRET });
      const post = async (body: string, header?: string): Promise<number> =>
        (
          await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            body,
            headers: header === undefined ? {} : { 'X-Service-Signature': header },
          })
        ).status;
      const now = Math.floor(Date.now() / 1000);
      const body = JSON.stringify({ id: 'e-1', type: 'record.fulfilled', data: {} });
      const signed = (at: number, secrets = [SECRET]): string =>
        hmacHeader(at, new TextEncoder().encode(body), secrets);
      await until(() =>
        post(body, 't=1,v1=00').then(
          () => true,
          () => false,
        ),
      );
      expect(await post(body, signed(now))).toBe(200);
      expect(await post(body, signed(now, ['whsec_other', SECRET]))).toBe(200);
      expect(await post(body, signed(now - 400))).toBe(401);
      expect(await post(body, signed(now + 400))).toBe(401);
      expect(await post(body.replace('e-1', 'e-2'), signed(now))).toBe(401);
      expect(await post(body, signed(now, ['whsec_other']))).toBe(401);
      const mac = signed(now).split('v1=')[1]!;
      for (const garbage of [
        undefined,
        '',
        ',',
        't',
        't=',
        `t=${now}`,
        `t=${now},`,
        `t=${now},v1=`,
        `t=${now},v1=zz`,
        `t=${now},v1=\u00e9\u00ff`,
        `t=${now},v1=${mac.slice(0, -2)}`,
        `t=${now},v1=${mac}00`,
        `t=now,v1=${mac}`,
        `t=${'9'.repeat(5_000)},v1=${mac}`,
        `t=-1,v1=${mac}`,
        `v1=${mac}`,
        `v1=${mac},t=${now}`,
        '%%%',
      ])
        expect(await post(body, garbage), garbage).toBe(401);
      expect(await post('', `t=${now},v1=zz`)).toBe(401);
      // A sender that stops in the middle neither ends the receiver nor holds up another one.
      const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc';
      const silent = connect(port, '127.0.0.1');
      await once(silent, 'connect');
      silent.write(head);
      const gone = connect(port, '127.0.0.1');
      await once(gone, 'connect');
      await new Promise<void>((resolve) => gone.write(head, () => resolve()));
      gone.resetAndDestroy();
      expect(await post(body, signed(now))).toBe(200);
      silent.destroy();
      expect(await post(body, signed(now))).toBe(200);
      await until(() => receiver.output.includes('e-1'));
      expect(receiver.output.trim()).toBe('record.fulfilled e-1');
    },
  );
});
