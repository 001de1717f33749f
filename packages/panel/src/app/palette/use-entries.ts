/** All entries of the palette before a search, within the user's rights. */
import { colourModes, palettes, type Screen, writtenLocaleNames, writtenLocales } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { meQuery } from '../../api/session.ts'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { chooseLanguage, densities, setPreferences, usePreferences, writtenLanguage } from '../../lib/preferences.ts'
import { keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { shortcutsEvent } from '../../lib/keys/shortcuts-event.ts'
import { savedViewOf, viewsQuery } from '../../resource/views/view.ts'
import { newAddress } from '../../resource/screen-address.ts'
import { grantForUser } from '../../resource/use-may.ts'
import { currentCommands } from '../../ui/commands.ts'
import { openHelp, startTour } from '../help/help-state.ts'
import type { Section } from '../shell/menu/sections.ts'
import { homePath } from '../pages.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { PaletteEntry } from './arrange.ts'

export function useEntries(sections: readonly Section[]): PaletteEntry[] {
  const t = useT()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const goTo = (targetPath: string, search: Readonly<Record<string, string>> = {}) =>
    void navigate({ to: targetPath, search })
  const { data: me } = useQuery(meQuery)
  const { data: views } = useQuery(viewsQuery)
  const preferences = usePreferences()
  const { mode, palette, density } = preferences
  const written = writtenLanguage(preferences)
  const screens = sections.flatMap(({ pages }) => pages)
  const nameOf = ({ labelPrefix }: Screen) => firstTranslation([`${labelPrefix}.many`])
  const mayAdd = ({ resource }: Screen) =>
    !resource.single && me !== undefined && grantForUser(resource, 'create', me) !== false
  return [
    {
      id: `screen:${homePath}`,
      group: 'screens',
      label: t('app.home'),
      keys: shortcuts.everywhere.home.flatMap(keyCapsOf),
      run: () => goTo(`/app/${homePath}`),
    },
    ...sections.flatMap(({ name, pages, others }) => [
      ...pages.map((screen): PaletteEntry => ({
        id: `screen:${screen.path}`,
        group: 'screens',
        label: nameOf(screen),
        note: t(`section.${name}`),
        run: () => goTo(`/app/${screen.path}`),
      })),
      ...others.map(({ path, title }): PaletteEntry => ({
        id: `screen:${path}`,
        group: 'screens',
        label: t(title),
        note: t(`section.${name}`),
        run: () => goTo(`/app/${path}`),
      })),
    ]),
    ...currentCommands().map(({ id, title, keys, run }): PaletteEntry => ({
      id: `page:${id}`,
      group: 'page',
      label: title,
      keys,
      run,
    })),
    ...screens.filter(mayAdd).map((screen): PaletteEntry => {
      const { to, search } = newAddress(screen)
      return {
        id: `create:${screen.path}`,
        group: 'create',
        label: t('palette.new', { resource: firstTranslation([`${screen.labelPrefix}.one`]) }),
        note: nameOf(screen),
        run: () => goTo(to, search),
      }
    }),
    ...(views?.entries ?? []).map(savedViewOf).flatMap(({ id, name, screen: path }): PaletteEntry[] => {
      const screen = screens.find((listedScreen) => listedScreen.path === path)
      if (!screen) return []
      const run = () => goTo(`/app/${path}`, { view: String(id) })
      return [{ id: `view:${id}`, group: 'views', label: name, note: nameOf(screen), run }]
    }),
    ...colourModes
      .filter((colourMode) => colourMode !== mode)
      .map((colourMode): PaletteEntry => {
        const label = t(colourMode === 'dark' ? 'theme.toDark' : 'theme.toLight')
        return { id: `mode:${colourMode}`, group: 'look', label, run: () => setPreferences({ mode: colourMode }) }
      }),
    ...densities
      .filter((densityName) => densityName !== density)
      .map((densityName): PaletteEntry => {
        const label = t(`palette.density.${densityName}`)
        return {
          id: `density:${densityName}`,
          group: 'look',
          label,
          run: () => setPreferences({ density: densityName }),
        }
      }),
    ...writtenLocales
      .filter((locale) => locale !== written)
      .map((locale): PaletteEntry => ({
        id: `language:${locale}`,
        group: 'look',
        label: writtenLocaleNames[locale],
        lang: locale,
        note: t('lang.interface'),
        run: () => chooseLanguage(locale),
      })),
    ...palettes
      .filter((paletteName) => paletteName !== palette)
      .map((paletteName): PaletteEntry => ({
        id: `palette:${paletteName}`,
        group: 'look',
        label: t(`theme.${paletteName}`),
        note: t('theme.colour'),
        run: () => setPreferences({ palette: paletteName }),
      })),
    {
      id: 'help',
      group: 'account',
      label: t('nav.help'),
      keys: shortcuts.everywhere.guide.flatMap(keyCapsOf),
      run: openHelp,
    },
    { id: 'tour', group: 'account', label: t('nav.tour'), run: startTour },
    {
      id: 'shortcuts',
      group: 'account',
      label: t('nav.shortcuts'),
      keys: shortcuts.everywhere.help.flatMap(keyCapsOf),
      run: () => window.dispatchEvent(new Event(shortcutsEvent)),
    },
    { id: 'sign-out', group: 'account', label: t('nav.signOut'), run: signOut },
  ]
}
