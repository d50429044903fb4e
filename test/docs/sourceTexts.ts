import ts from 'typescript';

import { sourcesIn } from '../support/structure/sources';

/** Stands for a value that only a run knows, e.g. the user's entry. */
export const VARIES = '…';

/** The texts that expressions of the shipped code can have, as far as the code alone shows. */
export class SourceTexts {
	private readonly nodes: ts.Node[];
	private readonly declared: Declaration[];

	constructor() {
		this.nodes = [...sourcesIn('nodes')].flatMap(([file, text]) =>
			nodesOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)),
		);
		this.declared = this.nodes.filter(isDeclaration);
	}

	/** The arguments of every `new name(…)`, and of every call of a function that only passes them on. */
	constructions(name: string): ts.Expression[][] {
		return this.nodes
			.filter(ts.isNewExpression)
			.filter((node) => node.expression.getText() === name)
			.flatMap((node) => this.argumentsOf([...(node.arguments ?? [])]));
	}

	/** Every text of an expression, with {@link VARIES} where it is not fixed. */
	of(expression: ts.Expression | undefined): string[] {
		return expression === undefined ? [''] : distinct(this.variants(expression));
	}

	/** Texts of a property of an object literal. */
	property(expression: ts.Expression | undefined, name: string): string[] {
		if (expression === undefined || !ts.isObjectLiteralExpression(expression)) return [''];
		const property = expression.properties.find(
			(one): one is ts.PropertyAssignment =>
				ts.isPropertyAssignment(one) && one.name.getText() === name,
		);
		return this.of(property?.initializer);
	}

	/** Object literals that have all of these properties. */
	objects(...names: string[]): ts.ObjectLiteralExpression[] {
		return this.nodes.filter((node): node is ts.ObjectLiteralExpression => {
			if (!ts.isObjectLiteralExpression(node)) return false;
			const own = node.properties.map((property) => property.name?.getText());
			return names.every((name) => own.includes(name));
		});
	}

	/** If an argument is a parameter of a function, the calls of that function give its texts. */
	private argumentsOf(args: ts.Expression[]): ts.Expression[][] {
		const maker = enclosingFunction(args[1] ?? args[0]);
		const places = args.map((arg) => parameterIndex(maker, arg));
		if (maker?.name === undefined || places[1] === undefined) return [args];
		const name = maker.name.getText();
		return this.nodes
			.filter(ts.isCallExpression)
			.filter((call) => call.expression.getText() === name)
			.map((call) => args.map((arg, at) => call.arguments[places[at] ?? -1] ?? arg));
	}

	private variants(expression: ts.Expression): string[] {
		if (ts.isStringLiteralLike(expression)) return [expression.text];
		if (ts.isNumericLiteral(expression)) return [Number(expression.text).toLocaleString('en-US')];
		if (ts.isTemplateExpression(expression)) return this.template(expression);
		if (ts.isConditionalExpression(expression)) {
			return [expression.whenTrue, expression.whenFalse].flatMap((one) => this.of(one));
		}
		if (ts.isIdentifier(expression)) {
			const constant = this.constant(expression);
			return constant === undefined ? [VARIES] : this.of(constant);
		}
		if (ts.isCallExpression(expression)) return this.call(expression);
		return [VARIES];
	}

	private template(expression: ts.TemplateExpression): string[] {
		return expression.templateSpans.reduce(
			(starts, { expression: inner, literal }) =>
				starts.flatMap((start) => this.parts(inner).map((text) => start + text + literal.text)),
			[expression.head.text],
		);
	}

	/** Texts of a part of a template. Of one that differs each time, the fixed texts that it can also have tell nothing more. */
	private parts(expression: ts.Expression): string[] {
		const texts = this.of(expression);
		return texts.includes(VARIES) ? [VARIES] : texts;
	}

	/** The texts that a function returns. A number literal counts as its text. */
	private call({ expression }: ts.CallExpression): string[] {
		if (ts.isPropertyAccessExpression(expression)) {
			const isNumber = expression.name.text === 'toLocaleString';
			return isNumber ? this.of(expression.expression) : [VARIES];
		}
		if (!ts.isIdentifier(expression)) return [VARIES];
		const declared = this.declarations(expression).find(isFunction);
		const body = declared?.body;
		if (body === undefined) return [VARIES];
		if (!ts.isBlock(body)) return this.of(body);
		return nodesOf(body)
			.filter(ts.isReturnStatement)
			.flatMap((one) => this.of(one.expression));
	}

	private constant(name: ts.Identifier): ts.Expression | undefined {
		const maker = enclosingFunction(name);
		if (parameterIndex(maker, name) !== undefined) return undefined;
		return this.declarations(name).find((node): node is ts.Expression => !isFunction(node));
	}

	/** The declarations of a name: around it in its own file, or else in the only other file that exports it. */
	private declarations(name: ts.Identifier): ts.Node[] {
		const all = this.declared.filter((node) => node.name?.getText() === name.text);
		const own = all.filter((node) => isWithin(name, scopeOf(node)));
		const others = all.filter(isOutermost);
		const found = own.length > 0 || others.length > 1 ? own : others;
		return found.map((node) => (ts.isFunctionDeclaration(node) ? node : node.initializer!));
	}
}

/** All nodes below a node. */
function nodesOf(root: ts.Node): ts.Node[] {
	const nodes: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		nodes.push(node);
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(root, visit);
	return nodes;
}

type Declaration = ts.FunctionDeclaration | ts.VariableDeclaration;

const isDeclaration = (node: ts.Node): node is Declaration =>
	ts.isFunctionDeclaration(node) ||
	(ts.isVariableDeclaration(node) && node.initializer !== undefined);

/** Whether other files can import it. */
const isOutermost = (node: Declaration): boolean =>
	ts.isSourceFile(ts.isFunctionDeclaration(node) ? node.parent : node.parent.parent.parent);

/** Where a declaration counts: its function, or else its file. */
const scopeOf = (node: Declaration): ts.Node =>
	ts.findAncestor(node.parent, (one) => ts.isFunctionLike(one) || ts.isSourceFile(one))!;

const isWithin = (node: ts.Node, outer: ts.Node): boolean =>
	ts.findAncestor(node, (one) => one === outer) !== undefined;

const isFunction = (node: ts.Node): node is ts.FunctionDeclaration | ts.ArrowFunction =>
	ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);

function enclosingFunction(node: ts.Node | undefined): ts.FunctionDeclaration | undefined {
	return node && ts.findAncestor(node, ts.isFunctionDeclaration);
}

function parameterIndex(
	maker: ts.FunctionDeclaration | undefined,
	argument: ts.Expression,
): number | undefined {
	const index = maker?.parameters.findIndex(({ name }) => name.getText() === argument.getText());
	return index === undefined || index < 0 ? undefined : index;
}

/** Drops repeats, and joins several {@link VARIES} in a row into one. */
const distinct = (texts: string[]): string[] => [
	...new Set(texts.map((text) => text.replace(/…(\s?…)+/g, VARIES))),
];
