import { randomBytes } from 'node:crypto';
import type * as Parts from './parts/receipt-parts.ts';
import { asBuilt } from './as-built.ts';
import type { Row } from './table.ts';

const { LogPaths, GrowingTree, signReceipt, SoftwareKeys, CRYPTO_PROVIDERS, SystemClock } =
  await asBuilt<typeof Parts>('parts/receipt-parts.ts');

const LEAVES = 1_000_000;
const RECEIPTS = 5_000;
const MOST_READS = 40;
const LOG = 'scitt:0190a000-0000-7000-8000-000000000002';

/** Receipts of a log of a million leaves that stands in memory: nodes that one reads, and how many a second are made. */
export const receiptsOfMany = async (sign: number): Promise<Row> => {
  const levels: Uint8Array[][] = [];
  const tree = new GrowingTree(0, []);
  // What the leaves are hashes of makes no difference.
  const leaves = randomBytes(32 * LEAVES);
  for (let at = 0; at < LEAVES; at++)
    for (const { level, index, hash } of tree.append(leaves.subarray(32 * at, 32 * at + 32)))
      (levels[level] ??= [])[index] = hash;
  let reads = 0;
  let most = 0;
  const paths = new LogPaths({
    hashes: (_log, nodes) => {
      reads += nodes.length;
      return Promise.resolve(nodes.map(({ level, index }) => levels[level]?.[index] ?? null));
    },
  });
  const { signer } = await new SoftwareKeys(
    randomBytes(32),
    CRYPTO_PROVIDERS.node,
    new SystemClock(),
  ).generate('Ed25519');
  const seal = { signer, hubId: '0190a000-0000-7000-8000-000000000001' };
  const { size, root } = tree;
  const started = performance.now();
  for (let made = 0; made < RECEIPTS; made++) {
    const index = Math.floor(Math.random() * LEAVES);
    const before = reads;
    const path = await paths.inclusion(LOG, { index, hash: levels[0]![index]! }, { size, root });
    most = Math.max(most, reads - before);
    await signReceipt(
      seal,
      LOG,
      { kind: 'inclusion', treeSize: size, leafIndex: index, path },
      root,
    );
  }
  if (most > MOST_READS) throw new Error(`a receipt took ${most} reads of nodes`);
  const perSecond = (RECEIPTS * 1000) / (performance.now() - started);
  return {
    what: 'receipts from a log of 1,000,000 leaves, one at a time',
    perSecond,
    ratio: perSecond / sign,
    of: 'Ed25519 sign, 64 at once',
    note: `at most ${most} reads of nodes, limit ${MOST_READS}`,
  };
};
