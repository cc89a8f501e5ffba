import { describe, expect, it } from 'vitest';
import { toHex } from '../../domain/kernel/digest.ts';
import { TestHub, type TestChain } from '../support/make-export.ts';
import { verifySignedDump } from '../support/signed-dump.ts';

const CREATED = { action: 'create', from: null, to: 'ACTIVE' } as const;
const DELEGATED = { action: 'delegate', from: 'ACTIVE', to: 'ACTIVE' } as const;
const VERIFIED = { action: 'verify-cascade', from: 'ACTIVE', to: 'ACTIVE' } as const;

/** An export of the tree shows these; a dump, which holds both chains as well, says VALID. */
describe('an operator whose dump says of a child what the chain of the child does not say', () => {
  const family = async (
    hub: TestHub,
    headHash?: string,
  ): Promise<readonly [TestChain, TestChain]> => {
    const parent = hub.chain();
    await hub.append(parent, 'RECORD_CREATED', CREATED);
    const child = hub.chain();
    Object.assign(child.record, {
      parentRecordId: parent.chainKey,
      rootRecordId: parent.chainKey,
      depth: 1,
    });
    await hub.append(child, 'RECORD_CREATED', CREATED);
    const children = [
      {
        id: child.chainKey,
        status: 'ACTIVE' as const,
        headHash: headHash ?? toHex(child.entries[0]!.hash),
        disputed: false,
      },
    ];
    await hub.append(parent, 'CHILD_DELEGATED', DELEGATED, { children });
    return [parent, child];
  };

  it('is believed where both say the same', async () => {
    const hub = await TestHub.start();
    expect(await verifySignedDump(hub, await family(hub))).toMatchObject({ verdict: 'valid' });
  });

  it('its first entry is another one', async () => {
    const hub = await TestHub.start();
    const chains = await family(hub, 'c'.repeat(64));
    expect(await verifySignedDump(hub, chains)).toMatchObject({ verdict: 'invalid' });
  });

  it('it is fulfilled, while its chain ends ACTIVE', async () => {
    const hub = await TestHub.start();
    const [parent, child] = await family(hub);
    const headHash = 'e'.repeat(64);
    await hub.append(parent, 'CASCADE_VERIFIED', VERIFIED, {
      children: [{ id: child.chainKey, status: 'FULFILLED', headHash, disputed: false }],
    });
    expect(await verifySignedDump(hub, [parent, child])).toMatchObject({ verdict: 'invalid' });
  });

  it('there is no such chain', async () => {
    const hub = await TestHub.start();
    const [parent] = await family(hub);
    expect(await verifySignedDump(hub, [parent])).not.toMatchObject({ verdict: 'valid' });
  });
});
