# 화면 낭독기가 말하는 축과 범례.

vega-axis = { $axis }축 { $title }: { $low } ~ { $high }{ $scale ->
    [linear] { "" }
    [log] { " " }(로그 눈금)
   *[other] { " " }({ $scale })
}
vega-axis-of-values = { $axis }축 { $title }: { $values }
vega-legend = 범례 { $title }: { $values }
vega-values = { $values } … { $last }
