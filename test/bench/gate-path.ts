import type { World } from '../support/service/world.ts';
import { CONNECTIONS, loadInTurns, type Load } from './load.ts';
import { hasWrk, loadByWrk } from './wrk.ts';

const OPEN = JSON.stringify({
  type: 'job',
  criteria: { goal: 'x'.repeat(900), threshold: 1 },
  autoActivate: true,
});
const COMPLETE = JSON.stringify({ evidence: { score: 5, log: 'y'.repeat(900) } });

/** Each connection opens a record, delivers and judges it, and begins again; the rate is of records. */
export const gatePath = (
  world: World,
  duration: number,
  connections = CONNECTIONS,
): Promise<Load> => {
  const headers = {
    authorization: `Bearer ${world.principal.client.key}`,
    'content-type': 'application/json',
  };
  const { url } = world;
  if (!hasWrk) return inThisProcess(url, headers, duration, connections);
  const env = { BENCH_OPEN: OPEN, BENCH_COMPLETE: COMPLETE };
  return loadByWrk({ url, headers, duration, connections, script: 'gate-path', env }, 3);
};

interface Flow {
  recordId?: string;
  completionId?: string;
}

const inThisProcess = (
  url: string,
  headers: Readonly<Record<string, string>>,
  duration: number,
  connections: number,
): Promise<Load> => {
  const keep = (member: keyof Flow) => (_status: number, body: string, context: object) =>
    void ((context as Flow)[member] = (JSON.parse(body) as { id: string }).id);
  return loadInTurns(
    {
      url,
      duration,
      connections,
      requests: [
        {
          method: 'POST',
          path: '/v1/records',
          headers,
          body: OPEN,
          onResponse: keep('recordId'),
        },
        {
          method: 'POST',
          headers,
          setupRequest: (request, context) => ({
            ...request,
            path: `/v1/records/${(context as Flow).recordId}/completions`,
            body: COMPLETE,
          }),
          onResponse: keep('completionId'),
        },
        {
          method: 'POST',
          headers,
          setupRequest: (request, context) => ({
            ...request,
            path: `/v1/records/${(context as Flow).recordId}/verdict`,
            body: JSON.stringify({
              verdict: 'accept',
              completionId: (context as Flow).completionId,
            }),
          }),
        },
      ],
    },
    3,
  );
};
