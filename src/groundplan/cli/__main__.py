from groundplan.cli import main

main()
