import { expect, it } from 'vitest';
import { rpc } from '../../support/stories/a2a-stories.ts';
import { useApi } from '../../support/service/api.ts';
import { expectGenuineVault } from '../../support/service/genuine-vault.ts';
import { openJob } from '../../support/service/world.ts';

const api = useApi({ EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8' });

it('a push configuration of a task is sealed, and the vault still verifies', async () => {
  const { principal } = api.world;
  const { id } = await openJob(api.world);
  for (const config of ['one', 'other']) {
    const made = await rpc(principal.client, 'CreateTaskPushNotificationConfig', {
      taskId: id,
      id: config,
      url: 'https://receiver.example.com/hook',
    });
    expect(made, JSON.stringify(made)).toMatchObject({ result: { id: config } });
  }
  await expectGenuineVault(api.service);
  const gone = await rpc(principal.client, 'DeleteTaskPushNotificationConfig', {
    taskId: id,
    id: 'one',
  });
  expect(gone['error']).toBeUndefined();
  await expectGenuineVault(api.service);
});
