import lists from "./rules.json" with { type: "json" };

/**
 * What of the rules of a game the page may read, by field of `Rules`: `shown` are texts and numbers that are shown,
 * with the place; `hidden` is what nobody but the server reads; `hidden_in_rules` are such fields whose names mean
 * something else too, with what. A test of the server holds the lists against the fields there are.
 */
const { hidden, hidden_in_rules } = lists;

/** Return what ESLint looks for, to find one of these names. */
const oneOf = (names) => `/^(${names.join("|")})$/`;

const ANYWHERE = oneOf(hidden);
const IN_RULES = oneOf([...hidden, ...Object.keys(hidden_in_rules)]);

const message =
  "The page holds no rules: what is legal and what a field is worth comes from the server (legal, worth, " +
  "previews, check).";

/** How a field of the rules can be read: as a member, under its name in quotes, or taken out by a pattern. */
const READS = [
  `MemberExpression[property.name=${ANYWHERE}]`,
  `Property[key.name=${ANYWHERE}]`,
  `MemberExpression[object.name="rules"][property.name=${IN_RULES}]`,
  `MemberExpression[object.property.name="rules"][property.name=${IN_RULES}]`,
  `MemberExpression[object.name="rules"][property.value=${IN_RULES}]`,
  `MemberExpression[object.property.name="rules"][property.value=${IN_RULES}]`,
  `VariableDeclarator[init.name="rules"] > ObjectPattern > Property[key.name=${IN_RULES}]`,
  `VariableDeclarator[init.property.name="rules"] > ObjectPattern > Property[key.name=${IN_RULES}]`,
  `VariableDeclarator[init.expression.property.name="rules"] > ObjectPattern > Property[key.name=${IN_RULES}]`,
];

/** What would be a rule of the game in the page: prices and policies live on the server. */
export const NO_RULES = READS.map((selector) => ({ selector, message }));
