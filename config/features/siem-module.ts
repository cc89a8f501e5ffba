import { ContainerModule } from 'inversify';
import { Cursors } from '../../application/call/cursors.ts';
import { EventFeed } from '../../application/event/event-feed.ts';
import { SiemCursors } from '../../application/siem/siem-cursors.ts';
import { SiemLines } from '../../application/siem/siem-lines.ts';
import { SiemWalks } from '../../application/siem/siem-walk.ts';
import { StreamSiem } from '../../application/siem/stream-siem.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Events for a SIEM, pulled and pushed. */
export const siemModule = new ContainerModule((options) => {
  provide(options, SiemCursors, [Cursors]);
  provideBy(
    options,
    SiemLines,
    (vault, { SIEM_MAX_EVENT_BYTES }) => new SiemLines(vault, SIEM_MAX_EVENT_BYTES),
    [Vault, t.settings],
  );
  provide(options, SiemWalks, [EventFeed, t.eventPlaces]);
  provide(options, StreamSiem, [SiemWalks, t.eventPlaces, SiemCursors, SiemLines, Vault]);
});
