/** Shows the OpenAPI document: groups of routes, a search, and the details of each opened route. */
import { foldable, make, prose } from './elements.js'
import { insideView, schemaView, wordsOf } from './schema-view.js'

const byId = (id) => document.getElementById(id)

/** Returns the panel's token (panel lib/storage-keys.ts); a browser that refuses storage counts as signed out. */
function readToken() {
  try {
    return localStorage.getItem('token')
  } catch {
    return null
  }
}

/** Resolves a reference of the OpenAPI document. */
function resolve(api, value) {
  if (!value.$ref) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, step) => node[step], api)
}

function contentView(content, api) {
  return Object.entries(content).flatMap(([type, { schema }]) => [
    make('p', { class: 'note' }, type),
    ...schemaView(schema, api.components.schemas),
  ])
}

function parametersView(parameters, api) {
  const rows = parameters.map((parameter) => {
    const { name, in: parameterLocation, required, description = '', schema } = resolve(api, parameter)
    const locationText = `${parameterLocation}${required ? ', required' : ''}`
    return [
      make('dt', {}, make('code', {}, name), make('span', { class: 'note' }, ` ${locationText}`)),
      make(
        'dd',
        {},
        make('code', {}, wordsOf(schema)),
        ...prose(description),
        ...insideView(schema, api.components.schemas),
      ),
    ]
  })
  return [make('h3', {}, 'Parameters'), make('dl', {}, rows)]
}

function answersView(responses, api) {
  return Object.entries(responses).map(([status, response]) => {
    const { description, content = {} } = resolve(api, response)
    const [title, ...lines] = description.split('\n\n')
    return foldable({}, `${status} ${title}`, () => [...lines.flatMap(prose), ...contentView(content, api)])
  })
}

function routeView({ description, parameters, requestBody, responses, security, ...route }, api) {
  const roles = Object.entries(route['x-roles'] ?? {})
  return [
    ...(description ? prose(description) : []),
    security?.length === 0 ? make('p', { class: 'note' }, 'No token is needed.') : undefined,
    roles.length > 0
      ? make(
          'p',
          { class: 'note' },
          `Roles: ${roles.map(([role, rowScope]) => (rowScope === 'all' ? role : `${role} (within bounds)`)).join(', ')}`,
        )
      : undefined,
    ...(parameters ? parametersView(parameters, api) : []),
    ...(requestBody ? [make('h3', {}, 'Body'), ...contentView(requestBody.content, api)] : []),
    make('h3', {}, 'Answers'),
    ...answersView(responses, api),
  ].filter((viewPart) => viewPart !== undefined)
}

/** Returns every route of the OpenAPI document with its searchable text, in the order of the document. */
function routesOf(api) {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const heading = [
        make('span', { class: 'method' }, method.toUpperCase()),
        make('span', { class: 'path' }, path),
        make('span', { class: 'said' }, operation.summary),
      ]
      return {
        group: operation.tags[0],
        text: `${method} ${path} ${operation.summary}`.toLowerCase(),
        element: foldable({ id: operation.operationId, class: 'route' }, heading, () => routeView(operation, api)),
      }
    }),
  )
}

function show(api) {
  const routes = routesOf(api)
  const groups = api.tags.map(({ name }, index) => {
    const groupRoutes = routes.filter(({ group }) => group === name)
    const id = `group-${index}`
    const section = make(
      'section',
      { 'aria-labelledby': id },
      make('h2', { id }, name),
      groupRoutes.map(({ element }) => element),
    )
    const item = make('li', {}, make('a', { href: `#${id}` }, name))
    return { own: groupRoutes, section, item }
  })
  byId('groups').append(...groups.map(({ item }) => item))
  byId('main').append(...prose(api.info.description), ...groups.map(({ section }) => section))

  const search = () => {
    const searchTerms = byId('search').value.toLowerCase().split(/\s+/)
    for (const route of routes)
      route.element.hidden = !searchTerms.every((searchTerm) => route.text.includes(searchTerm))
    for (const { own, section, item } of groups)
      section.hidden = item.hidden = own.every(({ element }) => element.hidden)
    byId('count').textContent = `${routes.filter(({ element }) => !element.hidden).length} of ${routes.length} routes`
  }
  byId('search').addEventListener('input', search)
  search()

  const openNamed = () => {
    const namedElement = byId(decodeURIComponent(location.hash.slice(1)))
    if (namedElement?.classList.contains('route')) namedElement.open = true
    namedElement?.scrollIntoView()
  }
  addEventListener('hashchange', openNamed)
  openNamed()
}

const refusals = {
  401: 'Sign in to the panel, then reload this page.',
  403: 'Only administrators may read this document.',
}
const failureText = 'The document could not be loaded. Please try again later.'

try {
  const token = readToken()
  const answer = await fetch('/api/openapi.json', { headers: token ? { authorization: `Bearer ${token}` } : {} })
  if (answer.ok) show(await answer.json())
  else byId('notice').textContent = refusals[answer.status] ?? failureText
} catch {
  byId('notice').textContent = failureText
}
