import { GaleraCluster, hasGalera } from './galera.ts';

// A cluster for suites that take TEST_MYSQL_URL: `npx tsx test/support/databases/run-galera.ts`. It prints the URLs of its nodes, and
// ends with the process.
if (!hasGalera()) process.exit(1);
const cluster = await GaleraCluster.open();
for (const { url } of cluster.nodes) console.log(url);
const running = setInterval(() => undefined, 60_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    clearInterval(running);
    void cluster.drop();
  });
