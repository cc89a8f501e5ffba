import { describe, expect, it } from 'vitest';
import { PinoLog } from '../../../adapters/system/pino-log.ts';
import { SystemClock } from '../../../adapters/system/system-clock.ts';
import { Uuidv7Ids } from '../../../adapters/system/uuidv7-ids.ts';
import { isUuid } from '../../../domain/kernel/ids.ts';

// Contract of application/ports/log.port.ts
// Contract of domain/kernel/clock.port.ts

describe('Uuidv7Ids', () => {
  it('gives strictly increasing version 7 ids, also within one millisecond', () => {
    const ids = new Uuidv7Ids();
    const made = Array.from({ length: 50_000 }, () => ids.next());
    expect(made.slice(0, 100).every((id) => isUuid(id) && id[14] === '7')).toBe(true);
    expect(made.every((id, i) => i === 0 || made[i - 1]! < id)).toBe(true);
    const milliseconds = new Set(made.map((id) => id.slice(0, 13)));
    expect(milliseconds.size, 'several ids shared a millisecond').toBeLessThan(made.length);
  });
});

describe('SystemClock', () => {
  it('tells the time', () => {
    const before = Date.now();
    const now = new SystemClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('PinoLog', () => {
  const capture = (
    level: 'warn' | 'info',
  ): { log: PinoLog; lines: () => Record<string, unknown>[] } => {
    const written: string[] = [];
    return {
      log: new PinoLog(level, {
        write: (line) => {
          written.push(line);
        },
      }),
      lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  };

  it('writes one JSON line with level, time and message', () => {
    const { log, lines } = capture('info');
    log.info({ requestId: 'r-1', status: 201 }, 'answered');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        pid: process.pid,
        requestId: 'r-1',
        status: 201,
        msg: 'answered',
      },
    ]);
  });

  it('writes nothing below its level', () => {
    const { log, lines } = capture('warn');
    log.info({}, 'quiet');
    log.warn({}, 'loud');
    log.error({}, 'louder');
    expect(lines().map((line) => line['level'])).toEqual(['warn', 'error']);
  });

  it('masks credentials and bodies that came in by mistake', () => {
    const { log, lines } = capture('info');
    log.info(
      { apiKey: 'svc_agt_x', request: { authorization: 'Bearer y', body: { a: 1 } } },
      'oops',
    );
    expect(JSON.stringify(lines())).not.toMatch(/svc_agt_x|Bearer y|"a":1/);
  });

  const NEVER = ['authorization', 'apiKey', 'secret', 'password', 'certJws', 'body', 'payload'];
  it.each(NEVER)('masks %s alone, at the top and below a member', (name) => {
    const { log, lines } = capture('info');
    const hidden = { [name]: 'hidden-value' };
    log.info(hidden, 'top');
    log.warn({ status: 200, ...hidden }, 'beside others');
    log.error({ status: 500, answer: hidden }, 'below');
    expect(lines()).toHaveLength(3);
    expect(JSON.stringify(lines())).not.toContain('hidden-value');
    expect(lines()[0]).toMatchObject({ [name]: '********' });
  });

  it('writes the same line whether or not there was something to mask', () => {
    const { log, lines } = capture('info');
    const fields = { text: 'a "b" \\ \n ü', n: 1.5, yes: true, none: null, left: undefined };
    log.info(fields, 'request');
    log.info({ ...fields, body: 'x' }, 'request');
    const [plain, { body, ...masked }] = lines() as [object, Record<string, unknown>];
    expect(body).toBe('********');
    expect({ ...masked, time: null }).toEqual({ ...plain, time: null });
    expect(Object.keys(masked)).toEqual(Object.keys(plain));
  });

  it('writes an error with its kind, message and stack', () => {
    const { log, lines } = capture('info');
    log.error({ err: new TypeError('broken') }, 'failed');
    expect(lines()[0]).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'broken',
        stack: expect.stringContaining('system.test') as unknown,
      },
    });
  });
});
