/** Key caps that are pressed together, as printed on the keyboard. */
export function KeyCaps({ caps }: { caps: readonly string[] }) {
  return (
    <span dir="ltr" className="inline-flex shrink-0 gap-1">
      {caps.map((cap) => (
        <kbd
          key={cap}
          className="min-w-6 rounded-1 border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs leading-tight font-semibold"
        >
          {cap}
        </kbd>
      ))}
    </span>
  )
}
