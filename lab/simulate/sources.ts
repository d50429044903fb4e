import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

import type { Clock } from '../../nodes/shared/rest/clock';
import type * as Receive from '../../nodes/CommercePlatformTrigger/receive';
import type * as Lifecycle from '../../nodes/CommercePlatformTrigger/endpoint';

const TRIGGER = resolve(__dirname, '../../nodes/CommercePlatformTrigger');

/** The trigger as one process loaded it, with its own memory. */
export type LoadedTrigger = typeof Receive & typeof Lifecycle;

/** A text in a file below nodes/CommercePlatformTrigger, and its replacement in the copy. */
export type Replacement = readonly [file: string, text: string, by: string];

interface Module {
	exports: Record<string, unknown>;
}

type Body = (exports: object, require: (name: string) => unknown, module: Module) => void;

/** What a file's text is compiled to, for all {@link Sources}. */
const javaScript = new Map<string, string>();

/** The trigger's sources, compiled once and loaded anew for each process. */
export class Sources {
	private readonly bodies = new Map<string, Body>();
	/** All processes share the modules outside the trigger: these keep no state except by clock. */
	private readonly shared = new Map<string, Module>();

	/** @throws Error if the file does not contain the text exactly once */
	constructor(private readonly replacement?: Replacement) {
		if (replacement) this.compiled(join(TRIGGER, replacement[0]));
	}

	load(): LoadedTrigger {
		const ownModules = new Map<string, Module>();
		const load = (file: string): Record<string, unknown> => {
			const loaded = file.startsWith(TRIGGER) ? ownModules : this.shared;
			const present = loaded.get(file);
			if (present !== undefined) return present.exports;
			const module: Module = { exports: {} };
			loaded.set(file, module);
			const required = (name: string): unknown =>
				// eslint-disable-next-line @typescript-eslint/no-require-imports
				name.startsWith('.') ? load(`${resolve(dirname(file), name)}.ts`) : require(name);
			this.compiled(file)(module.exports, required, module);
			return module.exports;
		};
		// Long work lets others go on by the machine's clock. A schedule must not depend on how busy the machine is.
		const { systemClock } = load(resolve(TRIGGER, '../shared/rest/clock.ts'));
		(systemClock as Clock).monotonic = () => 0;
		const parts = ['receive', 'endpoint'];
		return Object.assign(
			{},
			...parts.map((part) => load(join(TRIGGER, `${part}.ts`))),
		) as LoadedTrigger;
	}

	private compiled(file: string): Body {
		const compiledBody = this.bodies.get(file);
		if (compiledBody !== undefined) return compiledBody;
		let text = readFileSync(file, 'utf8');
		const [faulty = '', original = '', by = ''] = this.replacement ?? [];
		if (this.replacement && join(TRIGGER, faulty) === file) {
			const [before, after, ...more] = text.split(original);
			if (after === undefined || more.length > 0)
				throw new Error(`“${original}” does not stand once in ${faulty}`);
			text = before + by + after;
		}
		const parameters = ['exports', 'require', 'module'];
		const body = new Function(
			...parameters,
			`${transpiled(file, text)}
//# sourceURL=${file}`,
		) as Body;
		this.bodies.set(file, body);
		return body;
	}
}

function transpiled(fileName: string, text: string): string {
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	const made =
		javaScript.get(text) ?? ts.transpileModule(text, { compilerOptions, fileName }).outputText;
	javaScript.set(text, made);
	return made;
}
