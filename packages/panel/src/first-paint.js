// Puts the stored look on <html> before the first paint, so that no page flashes in another colour or direction, and
// says which frame the page itself draws until the program has come. A blocking file of its own, because the content
// policy allows no inline script. `lib/preferences.ts` owns the same keys and defaults; a test holds the two together.
{
  const palettes =
    'bluenavy blueyale blueolympic greenmoss greenlime purplemonster orangecarrot redruby yellowgranola greysteel'
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const read = (key, allowed, fallback) => {
    const value = stored(key)
    return allowed.includes(value) ? value : fallback
  }
  const root = document.documentElement
  const themes = palettes.split(' ').flatMap((palette) => [`light.${palette}`, `dark.${palette}`])
  const [mode, palette] = read('theme', themes, 'dark.blueolympic').split('.')
  root.dataset.mode = mode
  root.dataset.palette = palette
  root.dataset.radius = read('radius', ['rounded', 'flat'], 'rounded')
  root.dataset.density = read('density', ['comfortable', 'compact'], 'comfortable')
  root.dir = read('direction', ['ltr', 'rtl'], 'ltr')
  root.lang = read('current-language', ['en', 'ru', 'uz', 'kaa'], 'ru')

  // Without a session every address leads to the sign-in form, but for the other pages before it.
  const isSignedIn = Boolean(stored('token'))
  const isOther = /^\/user\/(?!login)./.test(location.pathname)
  if (!isSignedIn) root.dataset.frame = isOther ? 'user' : 'login'

  const link = (rel, href) => {
    if (!href) return
    const element = document.createElement('link')
    element.rel = rel
    if (rel === 'modulepreload') element.crossOrigin = ''
    if (rel === 'preload') element.as = 'style'
    element.href = href
    document.head.append(element)
  }
  // The words of the language, and the panel for whoever is signed in, are asked for now and not when the program has
  // come that asks for them.
  const { words = '{}', panel, styles, fonts } = document.currentScript?.dataset ?? {}
  const [wordsOfStart, wordsOfPanel] = JSON.parse(words)[root.lang] ?? []
  link('modulepreload', wordsOfStart)
  if (isSignedIn) {
    link('modulepreload', panel)
    link('modulepreload', wordsOfPanel)
    link('preload', styles)
  }
  // A signed-in user has the typeface from an earlier visit. On a slow link the form comes first.
  if (isSignedIn) link('stylesheet', fonts)
  else addEventListener('load', () => link('stylesheet', fonts))
}
