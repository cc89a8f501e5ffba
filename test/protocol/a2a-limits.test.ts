import { expect, it } from 'vitest';
import { rpc } from '../support/stories/a2a-stories.ts';
import { useApi } from '../support/service/api.ts';
import { GOAL, ok, openJob, type Body } from '../support/service/world.ts';

const api = useApi({ RATE_LIMIT_RECORDS_CREATE: '4' });

it('a message that names the context of its parent creates within the limit of what a key creates', async () => {
  const { client } = api.world.performer;
  const { id } = await openJob(api.world);
  const parent = await ok(client.get(`/v1/records/${String(id)}`));
  const statuses: unknown[] = [];
  for (let n = 0; n < 5; n++) {
    const { result, error } = await rpc(client, 'SendMessage', {
      message: {
        messageId: crypto.randomUUID(),
        role: 'ROLE_USER',
        contextId: String(parent['rootRecordId']),
        parts: [
          {
            data: {
              skill: 'open-record',
              input: { type: 'job', criteria: GOAL, parentRecordId: parent['id'] },
            },
          },
        ],
      },
    });
    statuses.push(result ? 200 : ((error as Body)['data'][1].status as number));
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});
