"""Talks to the service with the code that protoc makes of its .proto files.

Arguments: the folder of the generated code, the address, the key. Prints what it saw, as JSON.
"""

import json
import sys

folder, address, key = sys.argv[1:4]
sys.path.insert(0, folder)

import grpc  # noqa: E402
from google.rpc import error_details_pb2, status_pb2  # noqa: E402
from notary.v1 import event_service_pb2, event_service_pb2_grpc  # noqa: E402
from notary.v1 import record_service_pb2, record_service_pb2_grpc  # noqa: E402

METADATA = (("authorization", "Bearer " + key),)
COUNT = 300

channel = grpc.insecure_channel(address)
records = record_service_pb2_grpc.RecordServiceStub(channel)
events = event_service_pb2_grpc.EventServiceStub(channel)
seen = {}


def create(criteria, kind="note"):
    return record_service_pb2.CreateRequest(type=kind, criteria=json.dumps(criteria).encode())


def refusal(act):
    """The code of a refusal, and what its details say."""
    try:
        act()
    except grpc.RpcError as error:
        trailers = dict(error.trailing_metadata())
        status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
        info = error_details_pb2.ErrorInfo()
        return [error.code().name, status.details[0].Unpack(info), info.reason]
    return ["OK", False, ""]


asked = event_service_pb2.SubscribeRequest(after=0, types=["record.recorded"])
following = events.Subscribe(asked, metadata=METADATA)

with_key = METADATA + (("idempotency-key", "python-1"),)
first = records.Create(create({"by": "python", "größe": "ü"}), metadata=with_key)
again = records.Create(create({"by": "python", "größe": "ü"}), metadata=with_key)
seen["sameRecord"] = first.record.id == again.record.id
seen["position"] = first.record.signed_statement.position
read = records.Get(record_service_pb2.GetRequest(record_id=first.record.id), metadata=METADATA)
seen["criteria"] = json.loads(read.record.criteria)

event = next(iter(following)).event
seen["event"] = [event.type, event.record_id == first.record.id, event.sequence]
following.cancel()


def statements():
    for at in range(COUNT):
        # Every tenth is of a type that there is not.
        record = create({"at": at}, "note" if at % 10 else "no-such-type")
        yield record_service_pb2.NotarizeStreamRequest(message_id=str(at), record=record)


answers = list(records.NotarizeStream(statements(), metadata=METADATA))
seen["inOrder"] = [answer.message_id for answer in answers] == [str(at) for at in range(COUNT)]
seen["refused"] = [
    answer.message_id for answer in answers if answer.WhichOneof("outcome") == "error"
] == [str(at) for at in range(0, COUNT, 10)]
seen["records"] = len({a.receipt.record_id for a in answers if a.WhichOneof("outcome") == "receipt"})

seen["noKey"] = refusal(lambda: records.Create(create({})))
seen["notValid"] = refusal(lambda: records.Create(create([]), metadata=METADATA))
seen["late"] = None
try:
    records.List(record_service_pb2.ListRequest(), metadata=METADATA, timeout=0.00001)
except grpc.RpcError as error:
    seen["late"] = error.code().name
try:
    records.Create(create({}), metadata=METADATA, compression=grpc.Compression.Gzip)
    seen["packed"] = "OK"
except grpc.RpcError as error:
    seen["packed"] = error.code().name

print(json.dumps(seen))
