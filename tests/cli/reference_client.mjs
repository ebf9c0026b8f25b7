/*
 * `streamtrace mcp` with the protocol's own clients: node reference_client.mjs STREAMTRACE ROOT PACKAGES
 *
 * PACKAGES has the npm packages @modelcontextprotocol/client, which speaks all revisions, and @modelcontextprotocol/sdk, its
 * predecessor; `./dev mcp-test` puts them there. They check each message against their schemas, and each tool's structured
 * content against the tool's own. Exit status: 0 all is well, 1 something is not, which is printed, 77 the packages are missing
 * or Node.js is too old.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [streamtrace, root, packages] = process.argv.slice(2).map((name) => path.resolve(name));
const recordings = path.join(root, 'samples', 'recordings');
const require = createRequire(path.join(packages, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const info = { name: 'reference', version: '1' };

if (parseInt(process.versions.node) < 20) {
	console.log(`Node.js ${process.versions.node} is too old for the reference client: 20 or later`);
	process.exit(77);
}
if (!fs.existsSync(path.join(packages, 'node_modules', '@modelcontextprotocol'))) {
	console.log(`no reference client in ${packages}: ./dev mcp-test installs it`);
	process.exit(77);
}

const { Client, UriTemplate } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
const older = await load('@modelcontextprotocol/sdk/client/index.js');
const olderStdio = await load('@modelcontextprotocol/sdk/client/stdio.js');
const { ListRootsRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');

const server = (...options) => ({ command: streamtrace, args: ['mcp', ...options], stderr: 'inherit' });

/* Everything that a server offers, but what runs programs. */
async function useAll(client, call) {
	const { tools } = await client.listTools();
	assert.deepEqual(tools.map((tool) => tool.name), ['report', 'explain', 'whatif', 'diff', 'check', 'info']);

	const progress = [];
	const report = await call({ name: 'report', arguments: { traces: ['pageable_copy.db'] } },
		{ onprogress: (step) => progress.push(step) });
	const findings = report.structuredContent.result.findings;
	assert.equal(findings[0].id, 'pageable-copy');
	assert.ok(progress.length > 0 && progress[0].message.startsWith('report'));
	const text = await call({ name: 'report', arguments: { traces: ['pageable_copy.db'], format: 'text' } });
	assert.match(text.content[0].text, /can be won back/);
	await call({ name: 'explain', arguments: { id: findings[0].id } });
	await call({ name: 'whatif', arguments: { trace: 'pageable_copy.db', apply: ['all'] } });
	const diff = await call({ name: 'diff', arguments: { base: ['pageable_copy.db'], head: ['pageable_copy.fixed.db'] } });
	assert.equal(diff.structuredContent.result.findings[0].verdict, 'gone');
	const check = await call({ name: 'check', arguments: { traces: ['pageable_copy.db'] } });
	assert.equal(check.structuredContent.status, 1);
	/* Programs that have nothing to do with each other, in parts. */
	const traces = fs.readdirSync(recordings).filter((name) => name.endsWith('.db')).slice(0, 12);
	let part = await call({ name: 'report', arguments: { traces } });
	for (let parts = 1; part.structuredContent.next_cursor; parts++) {
		assert.ok(parts < 12);
		part = await call({ name: 'report', arguments: { traces, cursor: part.structuredContent.next_cursor } });
	}

	const refused = await call({ name: 'report', arguments: { traces: ['/etc/passwd'] } });
	assert.equal(refused.isError, true);
	await assert.rejects(call({ name: 'record', arguments: { command: ['true'] } }), /--allow-run/);

	const list = await client.listResources();
	const page = list.resources.find((one) => one.name === 'pageable_copy.db' && one.mimeType === 'text/html');
	assert.match((await client.readResource({ uri: page.uri })).contents[0].text, /^<!DOCTYPE html>/);
	await assert.rejects(client.readResource({ uri: 'streamtrace://trace/etc/passwd' }), /no such/);
	const { resourceTemplates } = await client.listResourceTemplates();
	assert.equal(new UriTemplate(resourceTemplates[0].uriTemplate).expand({ path: '/a/b' }), 'streamtrace://trace/a/b');
}

/* A recording that is cancelled, and one that is not. */
async function useRecord(client) {
	const { tools } = await client.listTools();
	assert.equal(tools[0].name, 'record');
	const stop = new AbortController();
	setTimeout(() => stop.abort(), 300);
	await assert.rejects(client.callTool({ name: 'record', arguments: { command: ['sleep', '1000'] } }, { signal: stop.signal }));
	for (;;) {
		const result = await client.callTool({ name: 'record', arguments: { command: ['no-such-program'] } });
		assert.equal(result.isError, true);
		if (result.structuredContent)
			break; /* the one before has ended */
	}
}

async function withClient(client, transport, use) {
	await client.connect(transport);
	try {
		await use(client);
	} finally {
		await client.close();
	}
}

const folder = fs.mkdtempSync(path.join(fs.realpathSync(process.env.TMPDIR ?? '/tmp'), 'streamtrace-'));
try {
	for (const mode of [{ pin: '2026-07-28' }, 'legacy']) {
		await withClient(new Client(info, { versionNegotiation: { mode } }), new StdioClientTransport(server(`--root=${recordings}`)),
			async (client) => {
				assert.equal(client.getProtocolEra(), mode === 'legacy' ? 'legacy' : 'modern');
				assert.equal(client.getServerVersion().name, 'streamtrace');
				await useAll(client, (...call) => client.callTool(...call));
			});
		await withClient(new Client(info, { versionNegotiation: { mode } }),
			new StdioClientTransport(server(`--root=${folder}`, '--allow-run')), useRecord);
	}
	const client = new older.Client(info, { capabilities: { roots: {} } });
	client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(recordings).href }] }));
	await withClient(client, new olderStdio.StdioClientTransport(server()), async () => {
		await client.ping();
		await useAll(client, (call, options) => client.callTool(call, undefined, options));
	});
	console.log('the reference clients are content');
} finally {
	fs.rmSync(folder, { recursive: true });
}
