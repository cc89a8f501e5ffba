import { Notarizer } from '../../../adapters/cli/mcp/wrap/notarizer.ts';
import { Sender } from '../../../adapters/cli/mcp/wrap/sender.ts';
import { Spool } from '../../../adapters/cli/mcp/wrap/spool.ts';

interface QueueOptions {
  /** The folder of the queue. */
  readonly root: string;
  readonly onUnavailable: 'block' | 'queue';
  readonly patienceMs?: number;
  /** Before a fact that always fails is tried again. */
  readonly firstSuspicionMs?: number;
}

/** What a wrapper notes by, from its folder to the service; it sends from now on, until the sender is drained. */
export const openQueue = async (
  service: ConstructorParameters<typeof Sender>[1],
  { root, onUnavailable, patienceMs = 30_000, firstSuspicionMs }: QueueOptions,
) => {
  const spool = await Spool.open(root, 'd');
  const told: string[] = [];
  const tell = (sentence: string): void => void told.push(sentence);
  const sender = new Sender(spool, service, tell, firstSuspicionMs);
  sender.start(await spool.waiting());
  const notarizer = new Notarizer(spool, sender, { type: 't', onUnavailable, patienceMs });
  return { spool, sender, notarizer, told };
};
