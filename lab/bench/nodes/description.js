/**
 * The description of a node that exists for benches only.
 *
 * @param {string} displayName e.g. `Least Get`, for the node `leastGet`
 * @param {object[]} properties
 */
exports.description = (displayName, properties) => ({
	displayName,
	name: displayName[0].toLowerCase() + displayName.slice(1).replaceAll(' ', ''),
	group: ['input'],
	version: 1,
	description: '',
	defaults: { name: displayName },
	inputs: ['main'],
	outputs: ['main'],
	properties,
});
