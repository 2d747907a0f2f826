# What a screen reader says of axes and legends.

vega-axis = { $axis }-axis { $title }: { $low } to { $high }{ $scale ->
    [linear] { "" }
   *[other] { " " }({ $scale } scale)
}
vega-axis-of-values = { $axis }-axis { $title }: { $values }
vega-legend = Legend { $title }: { $values }
vega-values = { $values } … { $last }
