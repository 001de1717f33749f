/** A turning mark for work of unknown length; it keeps turning under reduced motion, because it is information. */
import LoaderCircle from 'lucide-react/icons/loader-circle'

export function Spinner({ size = 17 }: { size?: number }) {
  return <LoaderCircle size={size} aria-hidden className="shrink-0 animate-[turn_900ms_linear_infinite]" />
}
