/**
 * Prints the software bill of materials of what is installed in production, as CycloneDX, from the lock file alone.
 *
 * npm leaves packages out that the development needs as well, where it is told to omit those of the development. So it is
 * asked in a folder whose package has none.
 *
 * @example npm run --silent sbom > sbom.cdx.json
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = mkdtempSync(join(tmpdir(), 'notary-sbom-'));
// npm writes the name of the folder into the bill.
const folder = join(made, 'notary-service');
mkdirSync(folder);
try {
  const copy = (name, without) => {
    const document = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
    without(document);
    writeFileSync(join(folder, name), JSON.stringify(document));
  };
  copy('package.json', (document) => delete document.devDependencies);
  copy('package-lock.json', ({ packages }) => {
    delete packages[''].devDependencies;
    for (const [path, { dev }] of Object.entries(packages)) if (dev) delete packages[path];
  });
  const text = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: folder,
    maxBuffer: 67_108_864,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Neither says what is in it: without them the same lock file gives the same bytes.
  const { serialNumber: _serial, ...bill } = JSON.parse(text);
  delete bill.metadata.timestamp;
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(made, { recursive: true, force: true });
}
