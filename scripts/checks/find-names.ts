/**
 * Finds the names of resources in a source file by its syntax: words of comments and variables are not names.
 */
import { type ParseOptions, parseSync } from '@swc/core'

/** A mention of a resource's name in a source file. */
export interface FoundName {
  /** Name of the resource, as written in the source file. */
  name: string
  /** Line of the mention in its source file, counted from 1. */
  line: number
  form: 'literal' | 'address' | 'key' | 'table' | 'declaration' | 'map'
}

interface SyntaxNode {
  type: string
  [key: string]: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isNode = (value: unknown): value is SyntaxNode => isObject(value) && typeof value['type'] === 'string'
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const nodesOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : [])

/**
 * Token before the parsed text, which marks the start: the parser's positions continue from earlier texts.
 */
const firstToken = '0;'

/**
 * Text of an identifier, a string, or a template without a value; empty for any other node of the syntax
 * tree.
 */
function wordOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Computed') return wordOf(node['expression'])
  if (node.type === 'Identifier' || node.type === 'StringLiteral') return textOf(node['value'])
  return ''
}

/** Returns a pattern that matches any of the resource names, the longest first. */
const matchAnyName = (names: ReadonlySet<string>): string =>
  [...names].toSorted((one, other) => other.length - one.length).join('|')

/**
 * Local names of the model's registry in a module, and names of declarations that the module imports
 * directly.
 */
function importsOf(body: readonly unknown[]): { registries: Set<string>; specifiers: SyntaxNode[] } {
  const specifiers = nodesOf(body).flatMap((statement) =>
    statement.type === 'ImportDeclaration' ? nodesOf(statement['specifiers']) : [],
  )
  const registrySpecifiers = specifiers.filter(
    (specifier) => wordOf(specifier['imported'] ?? specifier['local']) === 'resources',
  )
  return { registries: new Set(registrySpecifiers.map((specifier) => wordOf(specifier['local']))), specifiers }
}

/**
 * Finds where a source file names a resource.
 *
 * A name is found as a whole string; as a segment of an address, `/users/me`; before the first dot of a key
 * of the catalogues or of a column, `roles.values.type`; as a table of an SQL template, `from users`; as a
 * declaration that is imported by name or read from the registry, `resources.users`; and as the keys of an
 * object, two or more of them and no other key. Paths of imported files are not read.
 *
 * @param source The text of a TypeScript file.
 * @param names Names of resources, in the model and on the wire.
 * @param isJsx Whether the file holds JSX.
 * @returns Every place, in the order of the file.
 */
export function findNames(source: string, names: ReadonlySet<string>, isJsx = false): FoundName[] {
  const options: ParseOptions = { syntax: 'typescript', tsx: isJsx }
  const module = parseSync(firstToken + source, options)
  const bytes = Buffer.from(source)
  const lineOfNode = (node: SyntaxNode): number => {
    const start = isObject(node['span']) ? Number(node['span']['start']) : module.span.start
    const precedingBytes = bytes.subarray(0, Math.max(0, start - module.span.start - firstToken.length))
    return precedingBytes.toString().split('\n').length
  }
  const anyName = matchAnyName(names)
  const patterns = {
    address: new RegExp(`/(${anyName})(?=[/?#]|$)`, 'g'),
    key: new RegExp(`^(${anyName})\\.`, 'g'),
    table: new RegExp(`\\b(?:from|join|into|update|table|only)\\s+"?(${anyName})\\b`, 'gi'),
  }
  const foundNames: FoundName[] = []
  const add = (node: SyntaxNode, form: FoundName['form'], name: string) => {
    if (names.has(name)) foundNames.push({ name, line: lineOfNode(node), form })
  }
  const addText = (node: SyntaxNode, text: string, isSql = false) => {
    const forms = isSql ? (['address', 'key', 'table'] as const) : (['address', 'key'] as const)
    if (text.startsWith('.')) return
    for (const form of forms)
      for (const [, name = ''] of text.matchAll(patterns[form]))
        add(node, form, form === 'table' ? name.toLowerCase() : name)
  }

  const { registries, specifiers } = importsOf(module.body)
  for (const specifier of specifiers) add(specifier, 'declaration', wordOf(specifier['imported'] ?? specifier['local']))

  const visitors: Readonly<Record<string, (node: SyntaxNode) => unknown>> = {
    ImportDeclaration: () => [],
    ExportAllDeclaration: () => [],
    ExportNamedDeclaration: () => [],
    StringLiteral: (node) => {
      add(node, 'literal', textOf(node['value']))
      addText(node, textOf(node['value']))
    },
    TaggedTemplateExpression: ({ tag, typeParameters, template }) => {
      if (wordOf(tag) !== 'sql' || !isNode(template)) return [tag, typeParameters, template]
      for (const quasi of nodesOf(template['quasis'])) addText(quasi, textOf(quasi['cooked']), true)
      return [typeParameters, template['expressions']]
    },
    TemplateLiteral: ({ quasis, expressions, types }) => {
      const templateQuasis = nodesOf(quasis)
      for (const quasi of templateQuasis) {
        if (templateQuasis.length === 1) add(quasi, 'literal', textOf(quasi['cooked']))
        addText(quasi, textOf(quasi['cooked']))
      }
      return [expressions, types]
    },
    MemberExpression: (node) => {
      if (registries.has(wordOf(node['object'])) && isNode(node['property']) && node['property'].type === 'Identifier')
        add(node, 'declaration', wordOf(node['property']))
      return [node['object'], node['property']]
    },
    VariableDeclarator: (node) => {
      const { id, init } = node
      if (isNode(id) && id.type === 'ObjectPattern' && registries.has(wordOf(init)))
        for (const patternProperty of nodesOf(id['properties']))
          add(patternProperty, 'declaration', wordOf(patternProperty['key']))
      return [id, init]
    },
    ObjectExpression: (node) => {
      const properties = nodesOf(node['properties'])
      const keys = properties.map(({ key }) => wordOf(key))
      if (keys.length > 1 && keys.every((key) => names.has(key))) for (const key of keys) add(node, 'map', key)
      return properties
    },
    CallExpression: (node) => {
      const isImport = isNode(node['callee']) && node['callee'].type === 'Import'
      return isImport ? [] : [node['callee'], node['arguments'], node['typeArguments']]
    },
  }
  const visitNode = (value: unknown): void => {
    if (Array.isArray(value)) for (const child of value) visitNode(child)
    else if (isNode(value) && visitors[value.type] !== undefined) visitNode(visitors[value.type]?.(value))
    else if (isObject(value)) for (const [key, child] of Object.entries(value)) if (key !== 'span') visitNode(child)
  }
  visitNode(module.body)
  return foundNames.toSorted((one, other) => one.line - other.line)
}
