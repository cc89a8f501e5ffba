import { ChainWriter } from '../../../application/sealing/chain-writer.ts';
import { systemOrigin } from '../../../application/sealing/origin.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import { recordChain } from '../../../domain/vault/chain-key.ts';
import type { Statement } from '../../../domain/vault/statement.ts';
import { parseStatement } from '../../../domain/vault/parsed-statement.ts';
import type { Api } from '../service/api.ts';

const BATCH = 500;

/**
 * Makes the chain of a record longer, past everything that callers can do: its newest entry is sealed again and again,
 * as the service itself. It has to be one that changes nothing, such as CASCADE_VERIFIED.
 */
export const lengthenChain = async (
  { service }: Pick<Api, 'service'>,
  recordId: string,
  length: number,
): Promise<void> => {
  const writer = service.container.get(ChainWriter);
  const chainKey = recordChain(recordId);
  const origin = systemOrigin('lengthened');
  for (let isDone = false; !isDone;)
    await service.container.get(TOKENS.unitOfWork).transaction(async (stores) => {
      const found = await stores.records.lock(recordId);
      if (!found) throw new Error(`there is no record ${recordId}`);
      const { record } = found;
      const chain = await writer.lock(stores, chainKey);
      const newest = await stores.chains.headEntry(chainKey);
      if (!chain.head || !newest) throw new Error(`there is no chain ${chainKey}`);
      const facts = await writer.headFacts(stores, chain.head);
      const statement = parseStatement(newest.coseSign1).payload as unknown as Statement;
      const predicate = { ...statement.predicate, at: chain.at } as JsonObject;
      const next = { ...statement, predicate } as unknown as Statement;
      const entries: ChainEntry[] = [];
      for (let head = chain.head; entries.length < BATCH && head.position < length;) {
        const { entryType, orgId } = newest;
        const subject = { entryType, recordId, orgId };
        const entry = await writer.seal({ ...chain, head }, next, subject, origin);
        entries.push(entry);
        head = entry;
      }
      const [first, ...others] = entries;
      if (first) {
        await writer.append(stores, chain, [first, ...others], { ...facts, updatedAt: chain.at });
        const after = { ...record, updatedAt: chain.at, version: record.version + 1 };
        await stores.records.update(after, record);
      }
      isDone = entries.length < BATCH;
    });
};
