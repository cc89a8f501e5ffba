import { status, type ServerWritableStream } from '@grpc/grpc-js';
import { exportLines, type ExportView } from '../../application/audit/export-lines.ts';
import { exportAudit } from '../../application/audit/operations.ts';
import type { Admission } from '../../application/call/call.port.ts';
import type { BoundOperation } from '../../application/call/call-gateway.ts';
import { bytesOf, jsonBytes } from './codec/view-encoder.ts';
import { VaultService } from './generated/notary/v1/vault_service_pb.ts';
import { GrpcAsked, type InputMessage } from './grpc-asked.ts';
import { bind } from './method.ts';
import { PacedWriter } from './paced-writer.ts';
import { trailersOf } from './trailers.ts';
import { bindMethod, inputMessage, type EndpointParts } from './unary-endpoint.ts';

const { export: method } = VaultService.method;
/** The lines are those of the NDJSON form. */
export const EXPORT = bind(exportAudit, method, { fixed: { format: 'ndjson' } });

type Stream = ServerWritableStream<Buffer, Buffer>;

/** The audit export as a stream: a line a message, read while it is sent. */
export class ExportEndpoint {
  private readonly bound: BoundOperation;
  private readonly form: InputMessage = inputMessage(EXPORT);

  constructor(private readonly parts: EndpointParts) {
    this.bound = bindMethod(parts.gateway, EXPORT);
    parts.admissions.add(method, this.bound.access, exportAudit.budget);
  }

  readonly handle = (stream: Stream): void => {
    const { call, admission, end } = this.parts.admissions.of(stream);
    void end
      .during(() => this.send(stream, admission))
      .then(
        () => {
          end.tell(stream.cancelled ? status.CANCELLED : status.OK);
          stream.end(trailersOf(call, false));
        },
        (cause: unknown) => stream.emit('error', end.refused(cause)),
      );
  };

  private async send(stream: Stream, admission: Admission): Promise<void> {
    const { gateway, stallMs } = this.parts;
    await gateway.chargeArrived(admission, stream.request.length);
    const asked = new GrpcAsked(stream, this.form, stream.request, admission, this.parts);
    const outcome = await gateway.perform(admission, this.bound, asked);
    try {
      const writer = new PacedWriter(stream, stallMs);
      for await (const line of exportLines(outcome.shown.view as ExportView)) {
        if (writer.isOver) return;
        const message = { $typeName: method.output.typeName, line: jsonBytes(line) };
        await writer.write(bytesOf(method.output, message));
      }
    } finally {
      outcome.end?.();
    }
  }
}
