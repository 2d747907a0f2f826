# 다른 프로그램의 결과: 판독기가 거부하는 것과 모르는 것.

import-rounded-to-zero = 0으로 출력됨: 마지막 자리보다 작음
import-twice = `{ $name }`: `{ $metric }` 값이 둘인데 어느 것이 맞는지 알 수 없음
import-one-run-a-file = 한 번 실행한 결과를 파일 하나로 줄 것

# sysbench

import-sysbench-no-fileio = `{ $name }`: sysbench의 것인데 `fileio` 테스트의 온전한 결과가 없음
import-sysbench-run = `sysbench fileio run`이 출력한 것을 모두 보관할 것

# DiskSpd

import-diskspd-no-io = `{ $name }`: DiskSpd의 것인데 I/O를 한 시간 구간이 없음
import-diskspd-cut = `{ $name }`: DiskSpd의 것인데 시간 구간의 결과가 없음

# CrystalDiskMark, elbencho, IOzone, vdbench, Phoronix Test Suite, HD Tune, SSD-iq

import-too-many-rows = `{ $name }`: { $most }행보다 많은데, 그런 결과는 없음
import-elbencho-no-io = `{ $name }`: elbencho의 것인데 읽거나 쓴 단계가 없음
import-iozone-no-unit = `{ $name }`: IOzone의 것인데 출력의 단위를 말하지 않음
import-iozone-no-rows = `{ $name }`: IOzone의 것인데 결과 행이 없음
import-iozone-whole = IOzone이 출력한 것을 머리글부터 모두 보관할 것
import-iozone-invalid = `{ $name }`: 데이터를 검증한 실행이며, IOzone은 그때의 측정값이 유효하지 않다고 말함
import-iozone-not-verified = `-V` 없이 측정할 것
import-vdbench-no-average = `{ $name }`: vdbench의 것인데 실행의 `avg_` 줄이 없음
import-vdbench-file-system = `{ $name }`: vdbench의 파일 시스템 작업의 것이며, 열이 다름
import-vdbench-raw = 장치에서 실행한 보고서(`sd=`, `wd=`)를 읽을 수 있음
import-phoronix-systems = `{ $name }`: 시스템 { $systems }개를 비교함
import-phoronix-one = 시스템 하나의 파일을 줄 것
import-phoronix-no-result = `{ $name }`: Phoronix Test Suite의 것인데 값이 하나인 결과가 없음
import-hd-tune-heading = `{ $name }`: HD Tune의 것이지만 벤치마크 텍스트가 아님
import-hd-tune-several = `{ $name }`: HD Tune 벤치마크가 둘 이상임
import-hd-tune-benchmark = `Benchmark` 탭의 텍스트를 저장하거나 복사할 것
import-ssd-iq-no-rows = `{ $name }`: SSD-iq의 것인데 온전한 행이 둘 이상인 실행이 없음
