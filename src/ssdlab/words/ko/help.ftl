# 명령줄의 도움말: 명령의 첫 줄은 목록에도 나옴.

help-drives =
    드라이브와 시험 가능 여부, 그 이유를 나열

    어느 드라이브에도 쓰지 않음. 대부분 root 권한이 필요하고, 알 수 없는 것은 이유와 함께 알림. 누가 쓰는지 알 수 없는 드라이브는 거부함.
help-doctor =
    호스트가 측정에 알맞은지 알림

    프로세서, 메모리, fio, 강제 종료된 실행이 남긴 것을 살피고, 대상을 주면 그 드라이브, 링크, 큐도 살핌. 찾은 것마다 할 일을 함께 알림. 종료 상태 1은 측정하면 결과를 믿을 수 없다는 뜻. `--restore`만 무언가를 바꿈.
help-suites = 내장 스위트를 나열
help-suite =
    스위트의 TOML을 출력

    복사하고 고친 뒤 그 경로로 실행할 것.
help-plan =
    실행하면 할 일을 보여 줌; 건드리지 않음

    차례대로 각 단계, 쓰는 바이트, 걸리는 시간, 중단된 뒤 다시 하는 것, 결과 묶음에 필요한 공간. `--json`이면 작업 하나하나.
help-purge =
    드라이브를 지우고 지워졌는지 확인

    실행은 스스로 드라이브를 비우고 논리 블록의 크기를 그대로 둠. 이 명령은 실행 전에 그 크기를 바꾸거나, 드라이브가 지우기를 지원하는지 시험하기 위한 것. 어떻게 지웠는지 출력함.
help-run =
    드라이브에서 스위트를 실행하고 결과를 저장

    블록 장치는 시리얼 번호로 한 번 더 지정해야 함: `--erase`로, 또는 터미널에서 물을 때 입력. 끝에 결과 묶음의 경로를 출력함. 종료 상태 3은 실행은 끝났지만 감사의 검사 하나가 실패했다는 뜻.
help-attach =
    터미널이 없는 실행을 지켜봄

    실행이 끝날 때까지 `ssdlab run`과 같은 화면을 보여 주고 같은 종료 상태로 끝남. Ctrl-C는 실행을 그대로 두고 떠남.
    결과 묶음을 읽기만 하므로 여러 곳에서 지켜보아도 실행에 방해가 되지 않음.
help-attach-run = 결과 묶음; 주지 않으면 가장 새로운 실행.
help-detach = 실행이 시작되면 터미널을 놓음; `ssdlab attach`로 지켜봄.
help-web =
    실험실을 브라우저로 보여 줌

    이 호스트의 드라이브와 진행 중인 실행, 끝난 실행의 보고서, 여러 호스트의 대기열. 127.0.0.1에서만 기다리며, 열 주소를 출력함. 주소에
    든 토큰을 가진 사람은 볼 수 있음. 결과 묶음을 읽을 뿐 드라이브에 명령을 보내지 않고, `--control`을 주지 않으면 아무것도 바꾸지
    않음. 다른 컴퓨터에서 보려면 ssh로 포트를 전달함.
help-web-port = 기다릴 포트; 0은 비어 있는 포트를 씀.
help-web-database = 여러 호스트의 데이터베이스(postgresql://USER@HOST/NAME): 그 대기열도 보여 줌.
help-web-control = 페이지에서 실행을 멈추고 대기열을 바꿀 수 있게 함; 호스트가 허락하지 않은 것은 여기서 소거할 수 없음.
help-resume =
    멈추거나 강제 종료된 실행을 이어서 함

    같은 드라이브에서, 지금 이름이 무엇이든, 같은 결과 묶음에 이어서 함. 드라이브 상태 때문에 필요한 것은 `ssdlab plan`이 알린 대로 다시 함. 블록 장치는 그동안 다른 누구도 쓰지 않았음을 드라이브의 카운터나 표본 블록이 보여 주지 않으면 --erase가 다시 필요함.
help-show = 실행의 결론, 주요 수치, 감사를 보여 줌; --all이면 모든 지표
help-report =
    실행을 한 HTML 페이지로 작성

    첫 RUN의 드라이브가 시험 대상. 한 스위트의 여러 실행은 나란히 놓이고, 한 드라이브를 여러 스위트로 측정한 실행은 그 장이 됨. 다른 프로그램의 결과는 프로그램마다 절이 있음.
help-publish =
    누구인지 알 수 없는 파일로 실행을 저장

    시리얼 번호, 세계 고유 식별자, 호스트와 사용자의 이름, 경로, 주소는 공개하는 모든 것에서 늘 같고 다른 누구도 되짚을 수 없는 이름으로 바뀌고, 커널 로그의 줄은 빠짐. 수치와 감사는 남음. 빠지는 것을 먼저 나열함; --yes가 없고 물어볼 사람이 없으면 아무것도 저장하지 않음.
help-compare =
    실행을 첫 실행과 지표별로 비교

    한 드라이브의 여러 실행은 하나로 봄: 중앙값과 그 95 % 구간. 실행이 하나뿐이면 그 실행이 측정한 구간. 구간이 겹치면 비슷한 것으로 보고, 구간이 없으면 3 % 이하의 차이를 비슷한 것으로 봄.
help-score =
    재생한 트레이스로 드라이브의 점수를 매김

    각 RUN은 기준과 같은 스위트로 트레이스를 `dependent` 속도로 재생한 실행. 점수는 기준의 시간을 드라이브의 시간으로 나눈 값의, 트레이스에 대한 기하 평균. 한 드라이브의 여러 실행은 하나로 보고 그 95 % 구간을 냄. 3DMark와 AnandTech의 Destroyer가 그런 재생에서 내는 수치도 함께 보여 줌. 종료 상태 3은 재생의 검사가 실패했다는 뜻.
help-qualify =
    드라이브를 한도와, 또 같은 모델끼리 견줌

    파일에는 스위트와 프로필별로 지표의 한도가 있음. 드라이브마다 합격, 불합격, 측정되지 않음 가운데 하나이고, 측정되지 않음은 합격이 아님. 한 모델이 열 개 이상이면 나머지와 다른 드라이브를 정해진 유의 수준의 검정으로 가려냄. 종료 상태 4는 합격하지 못한 드라이브가 있다는 뜻, 3은 모두 합격했으나 감사의 검사가 실패했다는 뜻.
help-import =
    다른 프로그램의 결과를 읽어 들임

    파일마다 수치, 그 출처, 받은 그대로의 파일이 든 결과 묶음이 됨. 파일에 없는 것은 여기서 알려 주지 않으면 알 수 없음으로 남음. fio의 로그는 함께 준 하나의 fio JSON에 속하고, 둘 다 감사를 거침. 다른 프로그램의 수치는 ssdlab이 측정한 것과 함께 순위를 매기지 않음.
help-power =
    전력 계측기의 로그를 실행에 더하기

    실행은 `ssdlab run --power-marks`로 측정하고, 로그는 Quarch나 Joulescope의 프로그램이 저장한 것. 계측기의 시계를 표시로 맞추고 각 단계의 에너지와 전력이 실행의 지표가 됨. 표시가 분명하지 않은 로그는 거부됨.
help-sustain =
    드라이브 전체에 쓰고 데이터를 검증

    디렉터리에는 자기 파일을 만들고 끝에 지우며 다른 것은 건드리지 않음. 데이터는 시드와 위치로 정해지므로, 뒤바뀌거나 오래되거나 다른 곳에서 왔거나 손상된 데이터를 구별함. Ctrl-C로 깨끗이 끝남.
help-log =
    fio 로그를 요약: 정확한 백분위수, 평균

    한 종류의 지연 시간 로그는 하나인 것처럼 세고, 여러 대역폭이나 IOPS 로그의 속도는 더함. 모든 I/O의 로그는 정확한 백분위수를, 히스토그램 로그나 JSON은 fio의 구간(0.8 %)에 따른 백분위수를 줌. 그보다 느린 I/O가 열 개 미만인 백분위수는 출력하지 않음.
help-analyse =
    남이 기록한 대역폭 로그를 분석함

    fio의 대역폭이나 IOPS 로그, 또는 시간과 속도의 표를 이 프로그램의 분석으로 봄: fill(캐시, 등급, 단계), steady(정상 상태의 모든 기준), reclaim(휴지마다 로그 하나). 한 실행의 여러 작업은 로그를 더함. 알 수 없는 것은 알 수 없다고 알림.
help-probes = 블랙박스 탐침을 나열
help-probe =
    드라이브의 내부를 밖에서 추정

    모든 답에는 등급이 있음: A와 B는 믿을 수 있고 C는 실마리. 데이터로 알 수 없는 것은 이유와 함께 식별 불가로 알림. 표본과 답은 `ssdlab show`와 `ssdlab report`로 볼 수 있는 결과 묶음이 됨.
help-library-add = 결과 묶음을 검사하고 복사해 넣음
help-library-list = 모든 실행을 나열, 가장 새것이 끝
help-library-show = 한 드라이브의 시간에 따른 변화를 보여 줌
help-library-rank =
    지표로 드라이브의 순위를 매김

    측정 방법, 프로필, 드라이브 상태가 다르거나 가상 드라이브와 실제 드라이브인 수치는 한 순위에 놓지 않음. 한 드라이브를 일주일 안에 여러 번 실행했으면 중앙값으로 순위를 매기고 범위를 보여 줌.
help-library-latency =
    모든 실행에서 한 단계의 지연을 보여 줌

    한 모델의 모아 둔 모든 실행의 히스토그램을 더하므로 백분위수는 모든 I/O를 합친 것. 측정 방법, 프로필, 드라이브 상태가 다르거나 가상 드라이브와 실제 드라이브인 것은 더하지 않음.
help-library-compact =
    시계열과 히스토그램을 파일 몇 개에 모음

    모든 실행의 것이며 지표도 함께 모음. 결과 묶음에서 만든 것이며 지워도 됨. 새것이거나 바뀐 실행만 엶. 손상된 파일은 새로 만듦.
help-library-check =
    모든 파일을 체크섬과 대조

    종료 상태 3은 결과 묶음의 파일이 없거나, 쓴 그대로가 아니거나, 읽을 수 없다는 뜻.
help-library-sql = SQL로 실행과 지표를 조회
help-twin =
    측정한 드라이브와 같은 가상 드라이브를 만듦

    쌍둥이는 드라이브에서 측정한 대로 움직이는 가상 드라이브의 사양. 측정하지 않은 것은 `model:drive.toml`로 알아봄.
help-twin-fit =
    드라이브의 실행에 쌍둥이를 맞춤

    측정한 것을 가상 시간에 시험용 드라이브에서 되풀이해, 같은 결과를 내는 드라이브를 찾음. 내부 구조는 분석과 프로브가 아는 만큼 따르고, 실행으로 알 수 없는 것은 보통 드라이브의 값으로 두고 그 키를 알려 줌. 스윕의 측정점 셋 중 하나는 떼어 두며, 거기서의 오차를 쌍둥이의 설명에 적음. 대신 가져온 fio의 결과만 줄 수도 있으며, 큰 드라이브의 쌍둥이는 그 일부 크기임. 수십 기가바이트 드라이브는 몇 분, 시간은 용량에 따라 늘어남. `ssdlab[twin]`이 필요함.
help-twin-check =
    쌍둥이를 그 드라이브의 실행과 비교

    각 실행의 스위트를 가상 시간에 쌍둥이에서 실행해 모든 지표를 비교: 종류별 오차, 등급, 쌍둥이가 나타내지 못하는 것.
help-trace =
    I/O를 기록하고 가져오고 보고 자르고 내보냄

    트레이스는 파일 하나(`.ssdtrace`): 장치의 모든 I/O와 그 시간, 그리고 출처.
help-trace-record =
    드라이브가 받는 요청을 Ctrl-C까지 기록

    실행 중인 커널에서, root로, 드라이브 전체를. 드라이브의 다른 작업을 방해하지 않으며, 잃은 것은 셈.
help-trace-import =
    다른 프로그램의 기록으로 트레이스를 만듦

    fio의 iolog, blktrace, blkparse, btrecord, MSR(케임브리지), SYSTOR '17, Alibaba, Tencent, FIU, SPC, Tectonic, Windows 이벤트(xperf); gzip과 zstd는 풀어 읽음.
help-trace-show =
    트레이스가 어떤지 보여 줌

    구성, 크기, 순차 비율, 작업 집합, 재사용, 진행 중인 I/O, 생각 시간, 시간에 따른 속도.
help-trace-cut =
    트레이스에서 시간 구간을 잘라 냄
help-trace-merge =
    여러 트레이스를 하나로 만듦

    모두 동시에 시작하고 장치에서의 위치는 그대로임: 한 드라이브에서 여러 프로그램이 일하는 것과 같음.
help-trace-scale =
    더 빠르거나 느린 트레이스를 만듦

    I/O가 그만큼 빠르게 도착함. 각 I/O에 걸린 시간은 그 속도에서는 알 수 없으므로 뺌.
help-trace-anonymise =
    누구의 것인지 알 수 없는 트레이스를 만듦

    16 MiB 구간이 무작위로 자리를 바꾸고 그 표는 남지 않음; 이름과 날짜는 빼고, 프로세스에는 번호를 붙임.
help-trace-export =
    트레이스를 fio용이나 blkparse 형식으로 씀

    fio는 `--read_iolog`로 재생함.
help-trace-drive = 드라이브 전체, 예: /dev/nvme0n1
help-trace-path = 트레이스, X.ssdtrace
help-trace-page = 그림이 있는 페이지도 씀: 시간에 따른 위치, 속도, 크기, 재사용
help-trace-paths = 트레이스, X.ssdtrace
help-trace-speed = 몇 배 빠르게 할지: 2면 도착 간격이 절반이 됨
help-trace-output = 쓸 파일; 이미 있으면 바꿈
help-trace-files = 기록된 I/O, 모두 한 형식; blktrace 한 번의 파일은 함께
help-trace-format = 파일의 형식; 지정하지 않으면 첫 줄로 알아냄
help-trace-device = 여러 장치가 있을 때 가져올 장치, 파일에 있는 이름대로
help-trace-capacity = 장치의 크기, 어떤 형식에도 없음
help-trace-licence = 트레이스를 공유할 라이선스, 예: CC-BY-4.0
help-trace-from = 트레이스의 이 시간부터 도착한 것
help-trace-to = 트레이스의 이 시간 전에 도착한 것; 지정하지 않으면 끝까지
help-trace-export-format = fio-iolog(버전 3) 또는 blkparse
help-trace-file-name = fio가 열 파일, 로그에 쓰이는 이름
help-vdrive-list = 내장 가상 드라이브를 나열
help-vdrive-show = 가상 드라이브와 그 규격을 보여 줌
help-vdrive-serve =
    가상 드라이브를 NBD로 제공

    Ctrl-C로 멈출 때까지 실제 시간으로 움직임. 쓴 내용은 메모리에 있고, `--store`가 없으면 끝날 때 사라짐.
help-ssdlab = fio로 SSD를 측정하고, 수치를 증명하고, 드라이브를 다른 모든 드라이브와 나란히 보여 줌
help-library = 모든 실행: 나열, 순위, 조회
help-vdrive = 가상 드라이브를 나열하고 보여 주고 제공
help-version = 버전을 출력하고 끝냄
help-lang = 사용할 언어, 명령 앞이나 뒤에 씀; 지정하지 않으면 로캘의 언어
help-json = JSON으로 출력함
help-target = /dev/..., virtual:NAME, model:NAME, file:PATH 또는 nbd+unix:///EXPORT?socket=PATH
help-doctor-restore = 강제 종료된 실행이 이 호스트와 드라이브에 남긴 설정을 되돌리고 결과를 알림
help-suite-name = 내장 스위트, 또는 suite.toml의 경로
help-profile = 측정 방법을 얼마나 줄일지
help-plan-seed = 실행의 시드; 주지 않으면 0
help-plan-endurance = 드라이브의 보증 쓰기량; 그중 얼마를 쓰는지 알려 줌
help-plan-twin = `ssdlab twin fit`가 만든 드라이브의 쌍둥이 사양: 가상 시간으로 실행해 보고 얼마나 걸렸는지 알려 줌
help-max-write = 드라이브에 이보다 많이 쓰기 전에 멈춤; 이어서 한 실행도 모두 더함
help-purge-target = /dev/...; 드라이브가 제공하는 가장 좋은 방법이 아닌 다른 방법은 `?purge=METHOD`로 지정함
help-erase = 이 시리얼 번호(또는 이름)인 드라이브의 데이터를 지워도 됨; 거부될 때 출력된 그대로 지정할 것
help-purge-block-size = NVMe 드라이브를 이 크기의 논리 블록으로 포맷함
help-lab = 결과 묶음을 두는 곳
help-run-seed = 실행의 시드; 지정하지 않으면 가상 드라이브의 시드, 그 밖에는 매번 새 시드
help-run-engine = I/O를 수행할 엔진; 스위트가 선택을 허용할 때
help-max-temperature = 드라이브가 이보다 뜨거워지면 멈춤
help-keep-raw = fio의 텍스트 로그도 Parquet 옆에 남김
help-resume-run = 멈춘 실행의 결과 묶음
help-show-run = 결과 묶음; 지정하지 않으면 --lab에 있는 가장 새것
help-show-again = 원시 데이터로 지표와 감사를 다시 계산함
help-all = 결론의 바탕이 되는 모든 값도 보여 줌
help-runs = `ssdlab run`이나 `ssdlab import`가 출력한 결과 묶음
help-report-output = 페이지 파일; 지정하지 않으면 첫 RUN의 report.html. 이전 페이지만 바꿈
help-report-reason = 그 RUN의 드라이브를 고른 이유; 드라이브마다 한 번
help-report-name = 리포트 전체에서 그 측정의 드라이브를 부르는 이름.
help-report-without = 그 RUN의 드라이브 때문에 다른 드라이브가 눌려 보이는 그림을 그 드라이브 없이 한 번 더 그림; 여러 번 지정할 수 있음
help-report-png = 그림마다 PNG와 SVG로, 그 데이터를 CSV로도 저장함
help-report-size = 각 PNG의 픽셀 수
help-report-theme = 그림의 색; 지정하지 않으면 light
help-report-watermark = 그림마다 아래에 넣을 한 줄, 예: 사이트 이름
help-report-markdown = 게시글도 작성함: 결론, 검증, 표, 측정 방법, 설명이 붙은 PNG
help-report-lang = 페이지, 그림, 게시글의 언어; --lang이 어디에도 없으면 영어
help-report-public = `ssdlab publish`처럼 시리얼 번호, 호스트 이름, 경로를 뺌
help-publish-run = `ssdlab run`이나 `ssdlab import`가 출력한 결과 묶음 하나
help-publish-output = 압축 파일, 예: drive.ssdlab
help-publish-sign = 이 SSH 키로 서명함, 예: ~/.ssh/id_ed25519
help-publish-yes = 묻지 않고 저장함
help-compare-metric = 이런 이름의 지표만: `fill.*`, `rnd.read.q1.*`
help-twin-runs = 한 드라이브의 결과 묶음, `ssdlab run`과 `ssdlab probe`가 출력한 것. `fit`에는 `ssdlab import`가 출력한 것도 됨
help-twin-output = 쌍둥이 파일, 예: drive.toml; 이미 있는 파일은 바꾸지 않음
help-twin-drive = `ssdlab twin fit`이 쓴 쌍둥이 파일
help-score-runs = `ssdlab run`이 출력한 결과 묶음
help-score-reference = 같은 스위트를 내장 드라이브에서 가상 시간에 측정한, 점수가 1인 실행
help-qualify-limits = 한도(TOML): suite, metric, `at_least`나 `at_most`가 있는 `[[limit]]`
help-qualify-output = 모든 드라이브를 나쁜 것부터 담은 HTML 한 쪽
help-qualify-csv = 값과 한도마다 한 행, 스프레드시트용
help-import-files = 프로그램이 저장한 그대로의 결과 파일
help-import-model = 파일에 없을 때 드라이브의 모델명
help-import-serial = 파일에 없을 때 시리얼 번호
help-import-firmware = 파일에 없을 때 펌웨어
help-import-capacity = 파일에 없을 때 용량
help-import-fill = 파일에 없을 때 드라이브가 차 있던 정도
help-import-unit = ns나 us: fio의 지연 시간 로그의 단위를 알 수 없을 때
help-sustain-target = 마운트된 파일 시스템의 디렉터리, 또는 `run`에서와 같은 드라이브
help-sustain-chunk = 쓰기 하나의 크기
help-sustain-record = 기록 한 줄에 해당하는 바이트
help-sustain-total = 패스당 바이트; 지정하지 않으면 남은 공간 전부
help-sustain-leave = 비워 둘 공간; 지정하지 않으면 파일 시스템에서 10MB
help-sustain-passes = 패스 수
help-sustain-verify = 모두 다시 읽어 비교하는 시점
help-sustain-rest = 첫 패스 전에 드라이브를 쉬게 함
help-sustain-rest-between = 두 패스 사이에도 드라이브를 쉬게 함
help-sustain-trim = 먼저 모든 블록을 반환함
help-sustain-csv = 기록마다 이 파일에도 덧붙임
help-sustain-need = 작업에 필요한 속도; 이를 만족한 시간의 비율을 알려 줌
help-sustain-keep = 디렉터리에 파일을 남겨 둠
help-sustain-write-only = 한 번 쓰고 한 번 읽은 뒤 `--verify-tag`를 위해 데이터를 남겨 둠
help-sustain-tag = 남겨 두는 데이터의 이름
help-sustain-verify-tag = 남겨 둔 데이터를 몇 주 뒤나 다른 호스트에서 다시 읽음
help-log-files = fio의 로그, 히스토그램 로그 또는 JSON; gzip, zstd; 파이프는 -
help-log-kind = 파일 이름으로 알 수 없을 때: lat, clat, slat, bw 또는 iops
help-log-unit = ns나 us: 우선순위 열이 없는(fio 3.17 이전) 지연 시간 로그의 단위
help-log-window = 1s 같은 시간 구간별 값도 나열함
help-log-figure = 대신 그림을 그림: tail, series 또는 heatmap
help-log-output = 그림 파일, .svg 또는 .png; 지정하지 않으면 FIGURE.png
help-log-parquet = 대신 행을 저장함: .parquet 하나 또는 디렉터리
help-log-audit = 대신 fio의 JSON과 함께 준 로그를 감사의 검사 항목으로 확인함
help-analyse-files = fio의 대역폭, IOPS, 지연 시간 로그 또는 표; gzip, zstd, xz
help-analyse-as = fill, steady 또는 reclaim
help-analyse-capacity = 2TB 같은 드라이브의 사용자 용량
help-analyse-unit = 표: B/s, KB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s 또는 IOPS. 지연 시간 로그: ns나 us
help-analyse-time = 표의 시간 단위: ns, us, ms, s, min 또는 h
help-analyse-columns = 표의 두 열의 제목이나 번호
help-analyse-block = IOPS만 있을 때 I/O의 크기, 예: 4KiB
help-analyse-rests = reclaim: 파일마다 그 전의 휴지 시간
help-analyse-purged = fill: 그 전에 드라이브를 퍼지했음
help-analyse-output = 그림도 그림: .svg 또는 .png
help-probe-name = `ssdlab probes`의 하나, `quick` 또는 `all`
help-probe-estimator = 결론을 내는 방법: 강건하게(robust), 또는 출처 논문대로(paper)
help-probe-plan = 무엇을 쓰고 얼마나 걸릴지만 알림; 아무것도 건드리지 않음
help-probe-seed = 패턴의 시드
help-probe-png = 드라이브의 전체 모습과 근거도 PNG와 SVG로 그림
help-library-bundles = 결과 묶음, 또는 결과 묶음이 하나씩 든 .ssdlab, zip, tar 파일
help-library-signers = 서명을 아는 사람들의 파일; 지정하지 않으면 ~/.config/ssdlab/allowed_signers
help-library-drive = 모델명이나 시리얼의 일부
help-library-show-metric = 이 지표만 실행별로 보여 줌
help-library-metric = 지표의 이름, 예: `fill.bandwidth_mean`
help-library-step = 단계의 이름, `ssdlab show`가 보여 주는 그대로
help-library-paths = 결과 묶음, 또는 모든 결과 묶음을 둔 디렉터리; 지정하지 않으면 --lab
help-library-query = `runs`와 `metrics`, 모아 둔 실행의 `series`와 `histograms`에 대한 DuckDB의 SQL
help-vdrive-spec = NAME 또는 spec.toml; 원하면 ?capacity=8GiB&seed=1을 붙임
help-vdrive-truth = 새 드라이브의 내부도 보여 줌: 쓰기 증폭, 캐시, 블록
help-vdrive-socket = NBD를 제공할 유닉스 소켓
help-vdrive-control = 질문(truth, smart, sensors, lateness, faults), purge, power_cut을 받을 유닉스 소켓
help-vdrive-store = 쓴 내용을 파일에 보관해 다음에 시작할 때도 씀
help-vdrive-record = 명령 하나하나를 새 파일에 기록함, `ssdlab trace import`로 트레이스를 만들 수 있음
help-usage = 사용법
help-arguments = 인수
help-options = 옵션
help-commands = 명령
help-group-look = 살펴보기
help-group-measure = 측정
help-group-read = 읽기
help-group-share = 공유
help-completion =
    셸의 자동 완성에 필요한 스크립트

    bash: `ssdlab completion bash > ~/.local/share/bash-completion/completions/ssdlab`;
    zsh: `ssdlab completion zsh > DIR/_ssdlab`, `$fpath`에 있는 디렉터리;
    fish: `ssdlab completion fish > ~/.config/fish/completions/ssdlab.fish`.
    이 셸에서만: `eval "$(ssdlab completion bash)"`.
help-completion-shell = `bash`, `zsh` 또는 `fish`
help-help-of = 명령의 도움말.
help-help-command = 명령, 또는 명령과 그 하위 명령. 없으면 모두 나열.
help-default = 기본값: { $value }
help-required = 필수
help-help = 이 도움말을 보여 주고 끝냄
help-run-power-marks = 전력 계측기를 위해 시작과 끝에 짧은 읽기 부하를 줌
help-power-run = `ssdlab run`이 출력한 결과 묶음
help-power-log = 계측기 프로그램이 저장한 그대로의 로그
help-power-period = 로그에 없을 때 표본 간격
help-group-many = 여러 호스트
help-agent =
    이 호스트의 드라이브로 플릿에 참여

    플릿에 드라이브를 알리고, 그 대기열에서 드라이브마다 한 번에 하나씩 실행을 맡음. 어느 드라이브를 시험해도 되는지는 FILE만이 정함. 에이전트는 언제 강제로 끝나도 됨: 실행은 따로 있는 프로세스이고, 다음 에이전트가 이어받음.
help-agent-file = 이 호스트가 허락하는 것(TOML): `database`, `store`, `state`, `runs`, 그리고 serial과 target이 있는 `[[drive]]`
help-fleet =
    여러 호스트의 드라이브를 측정

    대기열은 PostgreSQL 데이터베이스에 있고, 호스트마다 `ssdlab agent`가 있음.
help-fleet-database = 플릿의 데이터베이스, postgresql://USER@HOST/NAME처럼
help-fleet-init = 데이터베이스에 플릿의 테이블을 만듦
help-fleet-drives = 모든 호스트의 드라이브를 보여 줌
help-fleet-submit =
    드라이브의 측정을 대기열에 넣음

    조건에 모두 맞는 비어 있는 드라이브마다 실행 하나, 또는 --repeat만큼. 실행마다 번호와 드라이브의 시리얼 번호를 출력. 드라이브에 있던 것은 모두 없어지며, 호스트가 이미 허락한 것임.
help-fleet-which = 이런 드라이브만: model, serial, firmware, host 가운데 하나와 `PM9*` 같은 패턴; 여러 번 줄 수 있음
help-fleet-repeat = 드라이브마다의 실행 수
help-fleet-priority = 값이 큰 실행이 먼저
help-fleet-status = 모든 실행과 그 진행을 보여 줌
help-fleet-cancel =
    실행을 취소

    기다리는 실행은 대기열에서 빼고, 진행 중인 실행은 Ctrl-C처럼 멈춤.
help-fleet-retry =
    실패하거나 취소된 실행을 이어 감

    이미 시작된 실행은 그 결과 묶음에서 이어 감. 그 뒤 드라이브에서 다른 실행이 있었으면 이어 가지 않음.
help-fleet-logs = 실행에 일어난 일을 보여 줌
help-fleet-rebuild =
    저장소에서 목록을 새로 만듦

    결과 묶음을 저마다의 매니페스트와 대조함. 결과 묶음에 없는 것은 목록에도 없음.
help-fleet-fetch =
    저장소의 결과 묶음을 실험실로 가져옴

    저마다의 매니페스트와 대조함. 디렉터리인 저장소는 그 자체로 실험실임.
help-fleet-fetched = `ssdlab fleet status`가 보여 주는 결과 묶음의 이름
help-fleet-numbers = `ssdlab fleet status`가 보여 주는 실행의 번호
help-fleet-number = `ssdlab fleet status`가 보여 주는 실행의 번호
help-fleet-store = 에이전트가 결과 묶음을 가져다 놓는 곳: 디렉터리 또는 `s3://BUCKET/PREFIX`
