-- One request over and over, as the environment says.
dofile("test/bench/wrk/figures.lua")
wrk.method = os.getenv("BENCH_METHOD")
wrk.body = os.getenv("BENCH_BODY")
