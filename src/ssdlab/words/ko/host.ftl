# 호스트에서 측정을 방해하는 것, 측정을 위해 설정하는 것.

## 설정
host-no-poll-queues = 드라이버가 폴링 큐를 만들지 않음
host-remedy-poll-queues = 커널 명령줄에 `nvme.poll_queues=4`. 프로세서 수를 넘지 않게
host-offers-only = 커널이 { $offered }만 제공함
host-not-accepted = 커널이 받아들이고도 바꾸지 않음
host-not-noted = { $directory }에 기록할 수 없어 아무것도 바꾸지 않음: { $error }
host-run = { $at }에 시작한 { $device } 측정(프로세스 { $process })
host-knob-preference = 에너지 선호도
host-knob-is = { $knob }: { $now }, 원하는 값 { $wanted }
host-knob-obstacle = { $setting }. { $obstacle }
host-knob-needs-root = { $setting }. root만 설정할 수 있음
host-knob-run-sets = { $setting }. 측정이 설정하고 되돌림
host-remedy-obstacle = 이 값을 제공하는 드라이버나 커널 모듈을 올리세요
host-remedy-root = root로 실행하세요

## 드라이브의 링크, 폴링, 프로세서
host-link = 링크 { $link }
host-rate = { $speed } GT/s x{ $lanes }
host-rate-drive-can = { $now }, 드라이브는 { $best }까지 가능
host-rate-slot-can = { $now }, 드라이브는 { $best }, 슬롯은 { $slot }까지 가능
host-rate-slot-unknown = { $rate }. 슬롯의 최고 속도는 알 수 없음
host-remedy-slot = 이 슬롯의 성능을 재게 됨. 더 나은 슬롯으로 옮기세요
host-remedy-link = 드라이브를 다시 꽂고 `dmesg`와 BIOS의 슬롯 설정을 확인하세요
host-link-saves-power = 링크가 절전할 수 있음({ $states }): 쉬고 난 뒤의 I/O는 링크가 깨어나기를 기다림
host-remedy-aspm = `echo performance > /sys/module/pcie_aspm/parameters/policy`, 또는 커널 명령줄에 `pcie_aspm=off`
host-cannot-poll = 완료를 폴링할 수 없음: { $why } (`nvme` 모듈의 `poll_queues`: { $asked }). `hipri`는 빠짐
host-unknown = 알 수 없음
host-no-frequency = 가상 머신처럼 커널이 프로세서 주파수를 정하지 않음

## 다른 활동
host-cpu-busy = 아직 아무것도 재지 않는데 프로세서가 { $busy } % 사용 중
host-remedy-cpu-busy = 실행 중인 것을 멈추세요(`top`). 바쁜 호스트는 I/O를 내고 완료하는 데 느림
host-memory = 쓸 수 있는 메모리 { $free }
host-remedy-memory = 메모리를 쓰는 것을 멈추세요. fio는 작업이 끝날 때까지 로그를 메모리에 둠
host-swaps = 호스트가 스왑 중(보는 동안 { $swapped })
host-remedy-swaps = 메모리를 쓰는 것을 멈추세요. 자기 페이지를 기다리는 측정 프로그램은 그 시간을 재게 됨
host-other-io = 보는 동안 다른 누군가가 드라이브와 { $moved } 주고받음
host-remedy-other-io = 드라이브를 쓰는 것을 멈추세요(`iotop`, `lsof`)

## 측정이 설정한 것의 기록
host-record-others-write = 다른 사용자가 쓸 수 있음
host-record-foreign = 측정이 설정하지 않는 것이 적혀 있음

## 코어의 스레드
host-smt-on = 켜짐
host-smt-off = 꺼짐
host-smt-off-until-boot = 다음 부팅까지 꺼짐
host-smt-none = 없음, 코어당 스레드 1개
host-smt-unknown = 알 수 없음: 이 커널은 전환할 수 없음
host-smt-threads = 켜짐, 코어당 스레드 { $count }개
host-back-restored = 되돌림
host-back-unchanged = 그대로임
host-back-needed = 남겨 둠: 다른 실행에 필요하며 그 실행이 되돌릴 것
host-back-changed = 남겨 둠: 그동안 다른 누군가 바꿈
host-back-gone = 드라이브와 함께 없어짐
host-back-failed = 되돌리지 못함
