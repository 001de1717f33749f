/** The user's preferences in menus: language, colour, corners, direction, light or dark. */
import { type Palette, palettes, writtenLocaleNames, writtenLocales } from '@dala/model'
import Languages from 'lucide-react/icons/languages'
import Moon from 'lucide-react/icons/moon'
import PaletteIcon from 'lucide-react/icons/palette'
import Sun from 'lucide-react/icons/sun'
import { useT } from '../../lib/i18n.ts'
import {
  chooseLanguage,
  directions,
  cornerStyles,
  setPreferences,
  usePreferences,
  writtenLanguage,
} from '../../lib/preferences.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, type MenuParts } from '../../ui/overlays/menu.tsx'

/** Each language is named in its own language and script. */
export function LanguageChoice({ Choice }: Pick<MenuParts, 'Choice'>) {
  const t = useT()
  return (
    <Choice
      label={t('lang.interface')}
      value={writtenLanguage(usePreferences())}
      onValueChange={chooseLanguage}
      choices={writtenLocales.map((locale) => ({ value: locale, label: writtenLocaleNames[locale], lang: locale }))}
    />
  )
}

/** A sample of a palette: its brand and rail colours, from the tokens of the palette. */
function Swatch({ palette }: { palette: Palette }) {
  const { mode } = usePreferences()
  return (
    <span
      aria-hidden
      data-palette={palette}
      data-mode={mode}
      className="size-[18px] shrink-0 rounded-1 bg-[linear-gradient(90deg,var(--rail)_0_38%,var(--brand)_38%)]"
    />
  )
}

export function ThemeChoices({ Choice }: Pick<MenuParts, 'Choice'>) {
  const t = useT()
  const { palette, radius, direction } = usePreferences()
  return (
    <>
      <Choice
        label={t('theme.colour')}
        columns
        value={palette}
        onValueChange={(chosenPalette) => setPreferences({ palette: chosenPalette })}
        choices={palettes.map((name) => ({
          value: name,
          label: (
            <>
              <Swatch palette={name} />
              {t(`theme.${name}`)}
            </>
          ),
        }))}
      />
      <Choice
        label={t('theme.radiusLabel')}
        columns
        value={radius}
        onValueChange={(chosenRadius) => setPreferences({ radius: chosenRadius })}
        choices={cornerStyles.map((name) => ({ value: name, label: t(`theme.radius.${name}`) }))}
      />
      <Choice
        label={t('theme.directionLabel')}
        columns
        value={direction}
        onValueChange={(chosenDirection) => setPreferences({ direction: chosenDirection })}
        choices={directions.map((name) => ({ value: name, label: t(`theme.direction.${name}`) }))}
      />
    </>
  )
}

export function LanguageMenu() {
  const t = useT()
  const language = writtenLanguage(usePreferences())
  return (
    <Menu
      trigger={
        <IconButton
          label={t('lang.interfaceIs', { language: writtenLocaleNames[language] })}
          icon={<Languages size={19} aria-hidden />}
        />
      }
    >
      {({ Choice }) => <LanguageChoice Choice={Choice} />}
    </Menu>
  )
}

export function ThemeMenu() {
  const t = useT()
  return (
    <Menu trigger={<IconButton label={t('theme.open')} icon={<PaletteIcon size={19} aria-hidden />} />}>
      {({ Choice }) => <ThemeChoices Choice={Choice} />}
    </Menu>
  )
}

export function ModeButton() {
  const t = useT()
  const { mode } = usePreferences()
  const isDarkMode = mode === 'dark'
  return (
    <IconButton
      label={t(isDarkMode ? 'theme.toLight' : 'theme.toDark')}
      icon={isDarkMode ? <Sun size={19} aria-hidden /> : <Moon size={19} aria-hidden />}
      onClick={() => setPreferences({ mode: isDarkMode ? 'light' : 'dark' })}
    />
  )
}
