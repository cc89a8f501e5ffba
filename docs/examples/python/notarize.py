"""Notarizes the digest of a file, and lists what was notarized, with Python's standard library alone:
NOTARY_URL=http://127.0.0.1:3000 NOTARY_API_KEY=... python3 docs/examples/python/notarize.py TYPE FILE
"""
import hashlib, json, os, random, sys, time, uuid
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
URL, KEY = os.environ["NOTARY_URL"], os.environ["NOTARY_API_KEY"]

def call(method, path, body=None, attempts=5):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    headers["Idempotency-Key"] = str(uuid.uuid4())  # one for all attempts: a POST acts once
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(attempts):
        wait = "0"
        try:
            with urlopen(Request(URL + path, data, headers, method=method), timeout=35) as answer:
                return json.load(answer)
        except HTTPError as refusal:  # Retry-After comes with whatever may be sent again
            if (wait := refusal.headers["Retry-After"]) is None or attempt == attempts - 1:
                sys.exit(refusal.read().decode())
        except OSError as fault:
            if attempt == attempts - 1:
                sys.exit(f"no answer from {URL}: {fault}")
        time.sleep(float(wait) + random.random() * 0.2 * 2**attempt)

def records(**query):
    page = {"hasMore": True, "nextCursor": None}
    while page["hasMore"]:
        cursor = {"cursor": page["nextCursor"]} if page["nextCursor"] else {}
        page = call("GET", "/v1/records?" + urlencode(query | cursor))
        yield from page["data"]

record_type, path = sys.argv[1:]
digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
criteria = {"name": os.path.basename(path), "sha256": digest}
made = call("POST", "/v1/records", {"type": record_type, "criteria": criteria})
print(made["status"], made["id"], made["signedStatement"]["hash"])
for record in records(type=record_type, limit=2):
    print(record["createdAt"], record["id"], record["criteria"]["sha256"])
