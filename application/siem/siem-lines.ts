import type { NumberedEvent } from '../../domain/event/event.ts';
import { siemLine, type SiemFormat } from '../../domain/siem/siem-line.ts';
import type { Vault } from '../sealing/vault.ts';

/** The service, as lines name it. */
const NAME = 'Notary Service';

/** Events as lines: the same bytes for whoever pulls and for every sink. */
export class SiemLines {
  constructor(
    private readonly vault: Pick<Vault, 'hub'>,
    private readonly maxBytes: number,
  ) {}

  /** With its line feed. */
  of(event: NumberedEvent, format: SiemFormat): string {
    const source = { name: NAME, hubId: this.vault.hub.hubId };
    return siemLine(event, { format, source, maxBytes: this.maxBytes });
  }
}
