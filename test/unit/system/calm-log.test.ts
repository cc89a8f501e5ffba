import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CalmLog } from '../../../adapters/system/calm-log.ts';
import type { Log, LogFields } from '../../../application/ports/log.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

// Contract of application/ports/log.port.ts

describe('CalmLog', () => {
  let lines: { readonly level: string; readonly message: string; readonly fields: LogFields }[];
  let log: CalmLog;
  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    const at =
      (level: string): Log['info'] =>
      (fields, message) =>
        void lines.push({ level, message, fields });
    log = new CalmLog({
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:3306'), {
    code: 'ECONNREFUSED',
  });
  const fail = (): void =>
    log.error(
      {
        requestId: 'r',
        err: new NotaryError(
          'SERVICE_UNAVAILABLE',
          'The database is away.',
          {},
          { cause: refused },
        ),
      },
      'request failed',
    );

  it('counts a warning of the outage with it', () => {
    fail();
    const err = new NotaryError('SERVICE_UNAVAILABLE', 'The database is away.');
    log.warn({ err }, 'counts could not be written');
    log.warn({ err: new Error('another') }, 'something else');
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'outage'],
      ['warn', 'something else'],
    ]);
    vi.advanceTimersByTime(60_000);
    expect(lines[2]).toMatchObject({ message: 'outage goes on', fields: { failures: 1 } });
  });

  it('makes one line of an outage at once, then one a minute with the count, and says when it is over', () => {
    for (let second = 0; second < 150; second++) {
      fail();
      fail();
      vi.advanceTimersByTime(1_000);
    }
    expect(lines.map(({ level, message, fields }) => [level, message, fields['failures']])).toEqual(
      [
        ['error', 'outage', 1],
        ['error', 'outage goes on', 119],
        ['error', 'outage goes on', 120],
      ],
    );
    vi.advanceTimersByTime(120_000);
    expect(lines.slice(3).map(({ level, message, fields }) => [level, message, fields])).toEqual([
      ['error', 'outage goes on', expect.objectContaining({ failures: 60 })],
      ['info', 'outage over', { failures: 300 }],
    ]);
    fail();
    expect(lines.at(-1)).toMatchObject({ message: 'outage', fields: { failures: 1 } });
  });

  it('names the reason and its cause, and shows no stack', () => {
    fail();
    expect(lines[0]?.fields).toEqual({
      reason: 'The database is away.',
      cause: 'connect ECONNREFUSED 10.0.0.7:3306',
      failures: 1,
      forSeconds: 0,
    });
  });

  it('leaves every other line as it is, also during an outage', () => {
    fail();
    const defect = { err: new TypeError('broken') };
    log.error(defect, 'request failed');
    log.error(defect, 'request failed');
    log.error({ table: 'orgs' }, 'a stored row was changed behind the service');
    log.warn({}, 'careful');
    log.info({ status: 201 }, 'request');
    log.debug({}, 'probe');
    expect(lines.slice(1).map(({ level, fields, message }) => [level, fields, message])).toEqual([
      ['error', defect, 'request failed'],
      ['error', defect, 'request failed'],
      ['error', { table: 'orgs' }, 'a stored row was changed behind the service'],
      ['warn', {}, 'careful'],
      ['info', { status: 201 }, 'request'],
      ['debug', {}, 'probe'],
    ]);
  });
});
