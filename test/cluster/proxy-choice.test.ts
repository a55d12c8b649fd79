import { describe, expect, it } from "vitest";
import { environmentProxy } from "../../src/cluster/connection/proxy-choice.ts";

const PROXY = "http://proxy.example:3128";
const SERVER = "https://api.cluster.example:6443";
const ADDRESS = "https://192.0.2.10:6443";

describe("environmentProxy()", () => {
  it.each([
    { server: SERVER, env: {}, proxy: null, why: "none is set" },
    { server: SERVER, env: { HTTPS_PROXY: PROXY }, proxy: PROXY, why: "for https" },
    { server: SERVER, env: { https_proxy: PROXY }, proxy: PROXY, why: "lower case too" },
    { server: SERVER, env: { HTTPS_PROXY: PROXY, https_proxy: "http://b" }, proxy: PROXY, why: "upper case first" },
    { server: SERVER, env: { HTTPS_PROXY: "", https_proxy: PROXY }, proxy: PROXY, why: "empty is not set" },
    { server: SERVER, env: { HTTP_PROXY: PROXY }, proxy: null, why: "that is for http" },
    { server: "http://a.example", env: { HTTP_PROXY: PROXY }, proxy: PROXY, why: "for http" },
    { server: "http://a.example", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "that is for https" },
    { server: SERVER, env: { HTTPS_PROXY: "proxy.example:3128" }, proxy: PROXY, why: "without a scheme it is http" },
    { server: "https://localhost:6443", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "this machine" },
    { server: "https://127.9.9.9:6443", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "this machine" },
    { server: "https://[::1]:6443", env: { HTTPS_PROXY: PROXY }, proxy: null, why: "this machine" },
    { server: SERVER, env: { HTTPS_PROXY: PROXY, no_proxy: "example" }, proxy: null, why: "no_proxy" },
  ])("is $proxy for $server with $env: $why", ({ server, env, proxy }) => {
    expect(environmentProxy(server, env)).toBe(proxy);
  });

  it.each([
    { noProxy: "cluster.example", server: SERVER, excepted: true, why: "what is below a name" },
    { noProxy: "API.cluster.example", server: SERVER, excepted: true, why: "the name itself, in any case" },
    { noProxy: ".cluster.example", server: SERVER, excepted: true, why: "below" },
    { noProxy: "*.cluster.example", server: SERVER, excepted: true, why: "below" },
    { noProxy: ".api.cluster.example", server: SERVER, excepted: false, why: "a dot means only what is below" },
    { noProxy: "luster.example", server: SERVER, excepted: false, why: "names are whole" },
    { noProxy: "example:6443", server: SERVER, excepted: true, why: "the port" },
    { noProxy: "example:443", server: SERVER, excepted: false, why: "another port" },
    { noProxy: "example:443", server: "https://a.example", excepted: true, why: "the port of https" },
    { noProxy: "a, *", server: SERVER, excepted: true, why: "everything" },
    { noProxy: ",:80,", server: SERVER, excepted: false, why: "nothing is said" },
    { noProxy: "192.0.2.0/24", server: ADDRESS, excepted: true, why: "in the range" },
    { noProxy: "192.0.3.0/24", server: ADDRESS, excepted: false, why: "not in the range" },
    { noProxy: "192.0.2.0/99", server: ADDRESS, excepted: false, why: "no range" },
    { noProxy: "192.0.2.10", server: ADDRESS, excepted: true, why: "the address" },
    { noProxy: "192.0.2.10:443", server: ADDRESS, excepted: false, why: "another port" },
    { noProxy: "2.10", server: ADDRESS, excepted: false, why: "addresses have no suffixes" },
    { noProxy: "2001:db8::/32", server: "https://[2001:db8::1]:6443", excepted: true, why: "in the range" },
    { noProxy: "[2001:db8::1]:6443", server: "https://[2001:db8::1]:6443", excepted: true, why: "address and port" },
    { noProxy: "2001:db8::2", server: "https://[2001:db8::1]:6443", excepted: false, why: "another address" },
  ])("with NO_PROXY=$noProxy and $server, excepted is $excepted: $why", ({ noProxy, server, excepted }) => {
    expect(environmentProxy(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy })).toBe(excepted ? null : PROXY);
  });
});
